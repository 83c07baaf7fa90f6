import { RESOURCE_LOSS, SECRET_LOSS } from "./cloud-reasons.ts";
import type { CommandRule } from "./pattern.ts";

/** Rules about application platforms and deployment tools, in the `cloud` category. */
export const platformRules: readonly CommandRule[] = [
  {
    id: "cloud/fly-destroy",
    // https://fly.io/docs/flyctl/
    program: "fly|flyctl",
    pattern: [
      "** destroy|delete",
      "machine|machines|m|volumes|volume|vol|certs|ips|wireguard|extensions|ext remove|rm|release",
    ],
    reason: RESOURCE_LOSS,
    deny: [
      "flyctl apps destroy shop",
      "fly volumes delete vol_1",
      "fly machine remove 1 --force",
      "fly postgres destroy db",
      "fly storage destroy shop",
    ],
    allow: ["flyctl deploy", "fly machine stop 1"],
  },
  {
    id: "cloud/fly-scale-zero",
    // https://fly.io/docs/flyctl/scale-count/ https://fly.io/docs/flyctl/apps-suspend/
    program: "fly|flyctl",
    pattern: "scale count 0|*=0",
    reason: "it destroys the application's machines",
    deny: ["fly scale count 0 --yes", "fly scale count web=0"],
    allow: ["fly scale count 2", "fly scale show"],
  },
  {
    id: "cloud/fly-secrets-unset",
    // https://fly.io/docs/flyctl/secrets-unset/
    program: "fly|flyctl",
    pattern: "secrets unset|remove",
    reason: SECRET_LOSS,
    deny: ["fly secrets unset DATABASE_URL", "flyctl secrets unset A B -a shop"],
    allow: ["fly secrets list", "fly secrets set A=1"],
  },
  {
    id: "cloud/heroku-destroy",
    // https://devcenter.heroku.com/articles/heroku-cli-commands
    program: "heroku",
    pattern: [
      "apps:destroy|apps:delete|apps:destroy|addons:destroy|addons:remove|addons:delete|pg:reset|pipelines:destroy|spaces:destroy",
      "pg:backups:delete|pg:credentials:destroy|kafka:topics:destroy|domains:clear|keys:clear|certs:remove|container:rm|teams:destroy",
      "api DELETE",
      "data:pg:destroy|redis:destroy|domains:remove|drains:remove|webhooks:remove|repo:reset",
    ],
    reason: RESOURCE_LOSS,
    deny: [
      "heroku apps:destroy --app shop",
      "heroku addons:destroy postgresql-x",
      "heroku pg:backups:delete b101 --confirm shop",
      "heroku api DELETE /apps/shop",
    ],
    allow: ["heroku apps:info", "heroku pg:backups", "heroku api GET /apps"],
  },
  {
    id: "cloud/heroku-restore",
    // https://devcenter.heroku.com/articles/heroku-postgres-backups#restoring-backups
    program: "heroku",
    pattern: "pg:backups:restore|pg:copy|pg:push",
    reason: "it overwrites the target database",
    deny: ["heroku pg:backups:restore b101 DATABASE_URL --app shop", "heroku pg:copy shop::DB DATABASE -a shop-prod"],
    allow: ["heroku pg:backups:capture", "heroku pg:pull DATABASE_URL shop_dev"],
  },
  {
    id: "cloud/heroku-config-unset",
    // https://devcenter.heroku.com/articles/config-vars
    program: "heroku",
    pattern: "config:unset|config:remove",
    reason: SECRET_LOSS,
    deny: ["heroku config:unset DATABASE_URL -a shop", "heroku config:remove KEY"],
    allow: ["heroku config:set A=1", "heroku config"],
  },
  {
    id: "cloud/vercel-remove",
    // https://vercel.com/docs/cli
    program: "vercel|vc",
    pattern: [
      "remove|rm",
      "project|projects|env|domains|dns|certs|integration|integration-resource|ir|edge-config|secrets rm|remove|delete",
      "blob ** del|delete|remove|empty-store|delete-store",
    ],
    reason: RESOURCE_LOSS,
    deny: [
      "vercel remove shop --yes",
      "vercel project rm shop",
      "vercel env rm DATABASE_URL production -y",
      "vercel domains rm example.com",
      "vc dns rm rec_1",
    ],
    allow: ["vercel --prod", "vercel project ls", "vercel env pull", "vercel alias rm old.example.com"],
  },
  {
    id: "cloud/netlify-delete",
    // https://cli.netlify.com
    program: "netlify|netlify-cli|ntl",
    pattern: ["sites:delete|env:unset|blobs:delete|db:delete|database:delete", "api delete*"],
    reason: RESOURCE_LOSS,
    deny: ["netlify sites:delete x", "npx netlify-cli sites:delete --force x", "netlify api deleteSite --data '{}'"],
    allow: ["netlify sites:list", "netlify api listSites"],
  },
  {
    id: "cloud/railway-delete",
    // https://docs.railway.com/reference/cli-api
    program: "railway",
    pattern: [
      "delete|down",
      "volume|environment|env|service|bucket|project|domain|function|functions|variable|variables ** delete|remove|rm",
    ],
    reason: "it removes a deployment, or deletes a resource and its data",
    deny: [
      "railway down -y",
      "railway delete",
      "railway volume delete --volume data -y",
      "railway environment delete staging",
      "railway variable delete DATABASE_URL",
    ],
    allow: ["railway up", "railway volume list", "railway logs"],
  },
  {
    id: "cloud/wrangler-delete",
    // https://developers.cloudflare.com/workers/wrangler/commands/
    program: "wrangler",
    pattern: "** delete|purge|delete-vectors !--dry-run|--local",
    reason: RESOURCE_LOSS,
    deny: [
      "npx wrangler delete",
      "npx wrangler@3 d1 delete DB",
      "wrangler r2 bucket delete shop",
      "wrangler queues purge mail",
    ],
    allow: ["npx wrangler deploy", "npx wrangler delete --dry-run", "wrangler kv key delete k --binding B --local"],
  },
  {
    id: "cloud/wrangler-restore",
    // https://developers.cloudflare.com/d1/reference/time-travel/
    program: "wrangler",
    pattern: "d1 time-travel restore",
    reason: "it overwrites the database with an earlier state",
    deny: ["npx wrangler d1 time-travel restore DB --timestamp=1", "wrangler d1 time-travel restore DB --bookmark=x"],
    allow: ["npx wrangler d1 time-travel info DB"],
  },
  {
    id: "cloud/supabase-delete",
    // https://supabase.com/docs/reference/cli/introduction
    program: "supabase",
    pattern: [
      "projects|branches|functions|domains|vanity-subdomains|postgres-config|orgs|sso delete|remove",
      "secrets unset",
      "storage rm -r|--recursive",
      "backups restore",
    ],
    reason: "it deletes or overwrites data or settings of the hosted project",
    deny: [
      "supabase projects delete x",
      "npx supabase projects delete x",
      "supabase branches delete preview",
      "supabase secrets unset API_KEY",
      "supabase storage rm -r ss:///avatars",
    ],
    allow: ["supabase projects list", "supabase functions deploy", "supabase storage rm ss:///avatars/a.png"],
  },
  {
    id: "cloud/supabase-stop-no-backup",
    // https://supabase.com/docs/reference/cli/supabase-stop
    program: "supabase",
    pattern: "stop --no-backup",
    reason: "it deletes the volumes of the local database and storage",
    advice: "leave out --no-backup",
    deny: ["supabase stop --no-backup", "npx supabase stop --no-backup --project-id shop"],
    allow: ["supabase stop", "npx supabase stop --all"],
  },
  {
    id: "cloud/firebase-delete",
    // https://firebase.google.com/docs/cli
    program: "firebase|firebase-tools",
    pattern: [
      "firestore:delete|firestore:databases:delete|firestore:backups:delete|projects:delete|database:remove|functions:delete",
      "functions:secrets:destroy|apphosting:backends:delete|hosting:sites:delete|hosting:disable|ext:uninstall|dataconnect:sql:drop",
    ],
    reason: RESOURCE_LOSS,
    deny: [
      "firebase firestore:delete --all-collections",
      "npx firebase database:remove /users",
      "npx firebase-tools firestore:delete orders -r -f",
      "firebase functions:delete api --force",
    ],
    allow: ["firebase deploy", "firebase hosting:channel:delete pr-1"],
  },
  {
    id: "cloud/firebase-database-set",
    // https://firebase.google.com/docs/cli#database-commands
    program: "firebase|firebase-tools",
    pattern: "database:set /",
    reason: "it replaces everything in the database",
    deny: ["firebase database:set / data.json", "npx firebase database:set / -d '{}' --force"],
    allow: ["firebase database:get /", "firebase database:set /users/1 user.json"],
  },
  {
    id: "cloud/kamal-remove",
    // https://kamal-deploy.org/docs/commands/view-all-commands/
    program: "kamal",
    pattern: ["remove", "app|proxy|accessory remove"],
    reason: "it removes containers, images and the accessories' data directories from the servers",
    deny: ["kamal remove -y", "kamal accessory remove db", "kamal app remove -d production"],
    allow: ["kamal deploy", "kamal app logs", "kamal prune all"],
  },
  {
    id: "cloud/modal-delete",
    // https://modal.com/docs/cli/latest
    program: "modal",
    pattern: [
      "volume|secret|environment|nfs|dict|queue|image delete|remove",
      "volume|nfs rm -r|--recursive",
      "dict|queue clear",
      "app stop",
    ],
    reason: "it permanently deletes, empties or stops the resource",
    deny: [
      "modal volume delete weights --yes",
      "modal volume rm weights / --recursive",
      "modal environment delete main",
      "modal app stop ap-1",
    ],
    allow: ["modal volume ls weights", "modal deploy app.py", "modal volume rm weights a.bin"],
  },
  {
    id: "cloud/cf-delete",
    // https://cli.cloudfoundry.org/en-US/v8/
    program: "cf",
    pattern: "delete|d|delete-*|ds|purge-service-instance|purge-service-offering",
    reason: RESOURCE_LOSS,
    deny: ["cf delete shop -f -r", "cf delete-service db -f", "cf delete-space prod"],
    allow: ["cf push", "cf apps"],
  },
  {
    id: "cloud/dokku-destroy",
    // https://dokku.com/docs/deployment/application-management/
    program: "dokku",
    pattern: "*:destroy|*:remove|*:clear",
    reason: RESOURCE_LOSS,
    deny: ["dokku apps:destroy shop --force", "dokku postgres:destroy db", "dokku domains:clear shop"],
    allow: ["dokku apps:list", "dokku ps:restart shop"],
  },
  {
    id: "cloud/platform-delete",
    // https://doc.scalingo.com/platform/cli https://www.koyeb.com/docs/build-and-deploy/cli
    // https://docs.upsun.com/administration/cli/reference.html https://www.clever-cloud.com/developers/doc/cli/
    // https://northflank.com/docs/v1/api/use-the-cli https://www.aptible.com/docs/reference/aptible-cli
    // https://render.com/docs/cli https://docs.deno.com/deploy/ https://docs.radapp.io/reference/cli/
    program:
      "scalingo|koyeb|clever|upsun|platform|northflank|aptible|render|deployctl|zeabur|coolify|qovery|rad|encore|convox|porter|appwrite|vip",
    pattern: [
      "** delete|destroy|environment:delete|project:delete|apps:deprovision|db:deprovision|backup:purge|addons-remove",
      "* delete-*",
    ],
    reason: RESOURCE_LOSS,
    deny: [
      "koyeb services delete api",
      "upsun environment:delete staging",
      "render services delete srv-1",
      "scalingo --app shop destroy",
      "aptible db:deprovision db",
      "appwrite databases delete-collection --database-id x",
    ],
    allow: ["koyeb services list", "upsun environment:list", "render deploys create srv-1"],
  },
];
