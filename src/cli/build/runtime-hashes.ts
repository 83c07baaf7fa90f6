import type { BuildTarget } from "../../operate/executable/image.ts";

/** The Bun release that the hashes belong to, as pinned in package-lock.json. */
export const RUNTIME_VERSION = "1.4.5";

/**
 * The SHA-256 of each target's runtime: `bin/bun` or `bin/bun.exe` in the npm package. The package's own hash is in
 * package-lock.json. Bun doesn't verify the runtimes that it downloads for other platforms.
 */
export const RUNTIME_HASHES: Readonly<Record<BuildTarget, string>> = {
  "bun-linux-x64": "f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083",
  "bun-linux-x64-baseline": "f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083",
  "bun-linux-x64-musl": "cf5d285ddbe256785a5121a3c113191a6b577504976374c7cfd5aedca609b720",
  "bun-linux-arm64": "04778f1f42399a69d086853e9c7af4acf574b2f21a43d0dc673853d8b84a2923",
  "bun-linux-arm64-musl": "9c48986093073afec8b76a3e285303598dd2462f52748aecb65e4d94866e1ea3",
  "bun-darwin-x64": "88f97645b270aef20f9f9442f1658461cab3e7128e658af4615144e3396f084a",
  "bun-darwin-arm64": "e2984124f1514e1e6bbda20adedbf07a02c443c6a5828853a15c7c7abf78e19f",
  "bun-windows-x64": "e06ad0864463c68892ae71a2a64af7eae1585cac5dd9b80bc042f45605587cb1",
  "bun-windows-arm64": "8bd7f9210f9d58cc21f398d1478e53b2ff919a0c8fc935b5086f3f64667cec6d",
};
