import type { CommandRule } from "./pattern.ts";

/** Rules about services for publishing, billing, and monitoring applications, in the `cloud` category. */
export const applicationServiceRules: readonly CommandRule[] = [
  {
    id: "cloud/expo-delete",
    // https://docs.expo.dev/eas/cli/
    program: "eas",
    pattern:
      "branch:delete|channel:delete|update:delete|env:delete|secret:delete|build:delete|webhook:delete|credentials:delete",
    reason: "it deletes the app's updates, builds or settings",
    deny: ["eas branch:delete production", "npx eas env:delete --name API_KEY"],
    allow: ["eas build --platform ios", "eas update"],
  },
  {
    id: "cloud/shopify-theme-delete",
    // https://shopify.dev/docs/api/shopify-cli/theme/theme-delete
    program: "shopify",
    pattern: ["theme delete", "theme push -l|--live|--allow-live"],
    reason: "it deletes a theme, or overwrites the live one",
    deny: ["shopify theme delete -t 1 -f", "shopify theme push --live --allow-live"],
    allow: ["shopify theme push --unpublished", "shopify theme dev"],
  },
  {
    id: "cloud/cms-delete",
    // https://www.contentful.com/developers/docs/tutorials/cli/ https://www.sanity.io/docs/cli-reference
    program: "contentful|sanity",
    pattern: [
      "space|dataset|documents|content-type delete",
      "space environment delete",
      "dataset import --replace",
      "backup disable",
      "undeploy",
    ],
    reason: "it deletes or overwrites content",
    deny: ["contentful space environment delete --environment-id x", "npx sanity dataset delete production"],
    allow: ["npx sanity dataset export production", "contentful space list"],
  },
  {
    id: "cloud/stripe-live-delete",
    // https://docs.stripe.com/cli
    program: "stripe",
    pattern: "** delete|cancel --live",
    reason: "it deletes or cancels live customer data",
    advice: "leave out --live to use test data",
    deny: ["stripe customers delete cus_1 --live", "stripe subscriptions cancel sub_1 --live --confirm"],
    allow: ["stripe customers delete cus_1", "stripe trigger payment_intent.succeeded"],
  },
  {
    id: "cloud/communication-delete",
    // https://www.twilio.com/docs/twilio-cli https://www.algolia.com/doc/tools/cli/
    program: "twilio|algolia",
    pattern: [
      "*:remove|*:delete|*:release",
      "indices|index|indexes delete|clear",
      "objects|rules|synonyms|apikeys|crawler delete",
    ],
    reason: "it releases a phone number, or deletes an index or settings that customers use",
    deny: [
      "twilio api:core:incoming-phone-numbers:remove --sid PN123",
      "twilio serverless:services:delete --sid x",
      "algolia indices delete products --confirm",
      "algolia indices clear products -y",
    ],
    allow: ["twilio phone-numbers:list", "algolia indices list", "twilio profiles:list"],
  },
  {
    id: "cloud/device-delete",
    program: "rm",
    pattern: "-r|-R|--recursive ?deletesOnDevice",
    reason: "it deletes photos, files or app data on a phone",
    deny: [
      "adb shell rm -rf /sdcard/DCIM",
      "adb -s emulator-5554 shell 'rm -r /sdcard/*'",
      'adb shell "rm -rf /data/data/com.example"',
    ],
    allow: [
      "adb shell rm -rf /data/local/tmp/shop",
      "adb shell rm /sdcard/screen.png",
      "adb shell rm -rf /sdcard/shop-screenshots",
    ],
  },
  {
    id: "cloud/device-wipe",
    // https://source.android.com/docs/core/architecture/bootloader/locking_unlocking
    program: "fastboot",
    pattern: ["-w", "erase|format*", "flashing|oem unlock|lock"],
    reason: "it deletes all user data on the phone",
    deny: ["fastboot -w", "fastboot erase userdata", "fastboot flashing unlock"],
    allow: ["fastboot devices", "fastboot flash boot boot.img", "fastboot reboot"],
  },
  {
    id: "cloud/fastlane-nuke",
    // https://docs.fastlane.tools/actions/match/#nuke
    program: "fastlane|match",
    pattern: ["match nuke", "nuke"],
    reason: "it revokes the certificates and profiles that sign the team's apps",
    deny: ["fastlane match nuke distribution", "bundle exec fastlane match nuke development"],
    allow: ["fastlane match development --readonly", "fastlane beta"],
  },
  {
    id: "cloud/sentry-delete",
    // https://docs.sentry.io/cli/ https://docs.launchdarkly.com/home/getting-started/ldcli
    program: "sentry-cli|ldcli|grafanactl",
    pattern: [
      "releases|monitors|projects|flags|environments|members ** delete",
      "releases files ** delete",
      "resources delete",
    ],
    reason: "it deletes releases, feature flags or dashboards that others use",
    deny: ["sentry-cli releases delete 1.0.0", "ldcli flags delete --flag shop"],
    allow: ["sentry-cli releases list", "ldcli flags list"],
  },
];
