import { apiRules } from "./api-rules.ts";
import { applicationServiceRules } from "./application-services.ts";
import { awsRules } from "./aws.ts";
import { containerRules } from "./containers.ts";
import { dataServiceRules } from "./data-services.ts";
import { infrastructureRules } from "./infrastructure.ts";
import { kubernetesRules } from "./kubernetes.ts";
import type { CommandRule } from "./pattern.ts";
import { platformRules } from "./platforms.ts";
import { providerRules } from "./providers.ts";
import { registryRules } from "./registries.ts";
import { storageRules } from "./storage.ts";
import { mcpRules } from "./mcp-rules.ts";

/** All rules in the `cloud` category: remote services and data, and local containers and clusters. */
export const cloudRules: readonly CommandRule[] = [
  ...awsRules,
  ...providerRules,
  ...kubernetesRules,
  ...infrastructureRules,
  ...platformRules,
  ...dataServiceRules,
  ...storageRules,
  ...registryRules,
  ...applicationServiceRules,
  ...apiRules,
  ...containerRules,
  ...mcpRules,
];
