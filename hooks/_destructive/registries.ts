import type { CommandRule } from "./pattern.ts";

const VERSION_LOSS = "it unpublishes a version that others may use";

/** Rules about published packages, images, and models, in the `cloud` category. */
export const registryRules: readonly CommandRule[] = [
  {
    id: "cloud/npm-unpublish",
    // https://docs.npmjs.com/cli/commands/npm-unpublish
    program: "npm|pnpm",
    pattern: ["unpublish !--dry-run", "owner|author rm|remove", "token revoke|delete", "team destroy", "org rm"],
    reason: "it unpublishes a package that others may use, or revokes publishing access",
    deny: ["npm unpublish left-pad --force", "npm unpublish @me/shop@1.0.0", "npm owner rm me shop"],
    allow: ["npm uninstall shop", "npm publish --dry-run", "npm unpublish --dry-run shop", "npm deprecate shop old"],
  },
  {
    id: "cloud/cargo-yank",
    // https://doc.rust-lang.org/cargo/commands/cargo-yank.html
    program: "cargo",
    pattern: ["yank !--undo", "+* yank !--undo", "owner -r|--remove"],
    reason: "new projects could no longer depend on the version, or an owner would lose access",
    deny: ["cargo yank --version 1.0.0 shop", "cargo yank shop@1.0.0", "cargo owner --remove me shop"],
    allow: ["cargo yank --undo --version 1.0.0 shop", "cargo add yank", "cargo publish --dry-run"],
  },
  {
    id: "cloud/gem-yank",
    // https://guides.rubygems.org/command-reference/#gem-yank
    program: "gem",
    pattern: ["yank", "owner -r|--remove"],
    reason: "it unpublishes a version that others may use, or revokes an owner's access",
    deny: ["gem yank shop -v 1.0.0", "gem owner shop --remove me@example.org"],
    allow: ["gem push shop-1.0.0.gem", "gem uninstall shop"],
  },
  {
    id: "cloud/package-unpublish",
    // https://code.visualstudio.com/api/working-with-extensions/publishing-extension#unpublishing-extensions
    // https://docs.anaconda.com/anacondaorg/user-guide/ https://snapcraft.io/docs https://help.cloudsmith.io/docs/cli
    // https://hexdocs.pm/hex/Mix.Tasks.Hex.Publish.html
    program: "vsce|anaconda|snapcraft|cloudsmith|mix",
    pattern: ["unpublish|unregister|close|delete|remove", "hex.publish --revert", "hex.retire"],
    reason: VERSION_LOSS,
    deny: [
      "vsce unpublish me.shop",
      "snapcraft unregister shop",
      "mix hex.publish --revert 1.0.0",
      "anaconda remove me/shop",
    ],
    allow: ["vsce package", "mix hex.publish --dry-run", "mix deps.clean --all"],
  },
  {
    id: "cloud/nuget-delete",
    // https://learn.microsoft.com/dotnet/core/tools/dotnet-nuget-delete
    program: "dotnet|nuget",
    pattern: ["nuget delete", "delete"],
    reason: VERSION_LOSS,
    deny: ["dotnet nuget delete Shop 1.0.0 --non-interactive", "nuget delete Shop 1.0.0"],
    allow: ["dotnet remove package X", "dotnet nuget push Shop.nupkg"],
  },
  {
    id: "cloud/artifactory-delete",
    // https://docs.jfrog-applications.jfrog.io/jfrog-applications/jfrog-cli
    program: "jf|jfrog",
    pattern: ["rt del|delete|repo-delete|build-discard|bdi|group-delete|users-delete !--dry-run"],
    reason: "it deletes files or builds that others download",
    deny: ["jf rt del libs-release/shop/ --quiet", "jf rt repo-delete shop"],
    allow: ["jf rt ping", "jf rt del libs/ --dry-run"],
  },
  {
    id: "cloud/image-delete",
    // https://github.com/docker/hub-tool https://github.com/google/go-containerregistry/blob/main/cmd/crane/doc/crane_delete.md
    // https://github.com/containers/skopeo/blob/main/docs/skopeo-delete.1.md https://oras.land/docs/commands/oras_manifest_delete
    program: "hub-tool|crane|gcrane|skopeo|oras|regctl|cosign|acr",
    pattern: ["delete|purge|gc", "repo|tag|manifest|blob|image|org|token ** rm|delete|del", "clean --force|-f"],
    reason: "it deletes an image that others may use",
    deny: [
      "hub-tool repo rm me/shop --force",
      "crane delete registry.example.org/shop:1.0",
      "skopeo delete docker://registry.example.org/shop:1.0",
      "oras manifest delete registry.example.org/shop:1.0 -f",
    ],
    allow: ["crane ls registry.example.org/shop", "skopeo inspect docker://x", "regctl tag ls x"],
  },
  {
    id: "cloud/hugging-face-delete",
    // https://huggingface.co/docs/huggingface_hub/guides/cli
    program: "hf|huggingface-cli",
    pattern: [
      "repo|repos|repo-files|collections|buckets|endpoints|webhooks ** delete|rm|delete-files",
      "upload|sync --delete",
    ],
    reason: "it deletes a repository, or files in it that others may be using",
    deny: [
      "hf repo delete me/shop",
      "hf repos delete me/shop --type dataset",
      "huggingface-cli repo-files me/shop delete '*'",
      "hf upload me/shop . --delete '*'",
      "hf buckets rm me/data --recursive",
    ],
    allow: ["hf download me/shop", "hf cache rm model/me/shop", "huggingface-cli delete-cache", "hf upload me/shop ."],
  },
  {
    id: "cloud/model-run-delete",
    // https://docs.runpod.io/runpodctl/overview https://docs.vast.ai/cli/commands
    // https://docs.skypilot.co/en/latest/reference/cli.html https://github.com/Kaggle/kaggle-api
    program: "runpodctl|vastai|sky|kaggle",
    pattern: ["remove|destroy|delete|down", "pod|storage|serve|datasets|kernels|models delete|down|remove"],
    reason: "it deletes machines, volumes or datasets",
    deny: ["runpodctl remove pod x", "vastai destroy instance 1", "sky down --all -y", "kaggle datasets delete me/x"],
    allow: ["sky status", "runpodctl get pod", "kaggle datasets list"],
  },
  {
    id: "cloud/wandb-clean",
    // https://docs.wandb.ai/ref/cli/wandb-sync
    program: "wandb",
    pattern: "sync --clean",
    reason: "it deletes local runs, which may contain data that wasn't uploaded",
    deny: ["wandb sync --clean", "wandb sync --clean --clean-old-hours 1"],
    allow: ["wandb sync wandb/", "wandb artifact cache cleanup 1GB"],
  },
  {
    id: "cloud/forge-delete",
    // https://cli.github.com/manual/ https://docs.gitlab.com/cli/ https://gitea.com/gitea/tea
    program: "gh|glab|tea",
    pattern: [
      "secret|variable|codespace|cs|gist|issue|project|ssh-key|gpg-key|release|mr|snippet|schedule|securefile delete|remove",
      "run|ci|cache|label|workflow delete <listed>",
      "repo deploy-key delete",
      "release delete-asset",
      "repos|repo|releases|organizations|webhooks delete|rm|d",
    ],
    reason: "it deletes resources that others may use, or work that isn't in any commit",
    deny: [
      "gh secret delete API_KEY",
      "gh codespace delete --all",
      "gh issue delete 12 --yes",
      "gh secret remove API_KEY",
      "gh run list --json databaseId -q '.[].databaseId' | xargs -n1 gh run delete",
      "glab release delete v1",
      "tea repos delete me/shop",
    ],
    allow: ["gh issue close 12", "gh cache delete --all", "gh run delete 1", "glab mr list", "gh label delete bug"],
  },
];
