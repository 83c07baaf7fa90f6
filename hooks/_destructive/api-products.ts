/** Describes requests that delete a product's data. */
export interface ApiRow {
  /** The HTTP method; defaults to DELETE. */
  method?: string;
  path: RegExp;
  /** A pattern that the URL must match as well. */
  query?: RegExp;
  /** A pattern that the request body must match as well. */
  body?: RegExp;
}

/**
 * Excludes requests with test keys, which can't change real customers' data.
 * https://docs.stripe.com/keys#test-live-modes
 */
const LIVE_KEY = /^(?![^]*(?:[rs]k_test_|TEST))/;

const ANY_PATH = /./;

/** Management APIs, identified by host, with the paths on which a DELETE request is destructive. */
export const API_HOSTS: readonly (ApiRow & { host: RegExp })[] = [
  // Deleting dynos only restarts them. https://devcenter.heroku.com/articles/platform-api-reference
  { host: /^api\.heroku\.com$/, path: /^\/(?!apps\/[^/]+\/dynos)/ },
  // https://developers.cloudflare.com/api/
  { host: /^api\.cloudflare\.com$/, path: /(?<!\/purge_cache)$/ },
  // https://docs.digitalocean.com/reference/api/ https://vercel.com/docs/rest-api https://open-api.netlify.com
  // https://supabase.com/docs/reference/api https://api-docs.render.com https://techdocs.akamai.com/linode-api
  {
    host: /^api\.(?:digitalocean|vercel|netlify|supabase|render|linode|vultr|upcloud|civo|pulumi|planetscale)\.com$/,
    path: ANY_PATH,
  },
  // https://docs.hetzner.cloud https://fly.io/docs/machines/api/ https://api-docs.neon.tech
  {
    host: /^api\.(?:hetzner\.cloud|machines\.dev|scaleway\.com|turso\.tech|confluent\.cloud|aiven\.io|upstash\.com)$/,
    path: ANY_PATH,
  },
  { host: /^(?:console\.neon\.tech|cloud\.mongodb\.com|app\.terraform\.io|app\.koyeb\.com)$/, path: ANY_PATH },
  // https://learn.microsoft.com/rest/api/azure/
  { host: /^management\.azure\.com$/, path: ANY_PATH },
  // https://cloud.google.com/apis/docs/overview
  {
    host: /^(?:compute|container|sqladmin|cloudresourcemanager|secretmanager|run|cloudfunctions|cloudkms|dns|iam|spanner|redis|pubsub|firestore|bigquery)\.googleapis\.com$/,
    path: ANY_PATH,
  },
  { host: /^storage\.googleapis\.com$/, path: /^\/storage\/v1\/b\/[^/]+$/ },
  // https://docs.databricks.com/api/
  {
    host: /\.(?:cloud|gcp)\.databricks\.com$|\.azuredatabricks\.net$/,
    method: "POST",
    path: /\/(?:delete|permanent-delete)$/,
  },
  // https://docs.stripe.com/api
  { host: /^api\.stripe\.com$/, path: /^\/v1\/(?!ephemeral_keys|terminal)/, body: LIVE_KEY },
  // https://www.twilio.com/docs/usage/requests-to-twilio https://www.twilio.com/docs/sendgrid/api-reference
  { host: /(?:^|\.)twilio\.com$|^api\.sendgrid\.com$/, path: ANY_PATH },
  // https://www.algolia.com/doc/rest-api/search/
  { host: /\.algolia(?:net\.com|\.net|\.io)$/, path: /^\/1\/(?:indexes|keys)\/[^/]+$/ },
  { host: /\.algolia(?:net\.com|\.net|\.io)$/, method: "POST", path: /^\/1\/indexes\/[^/]+\/clear$/ },
  // https://auth0.com/docs/api/management/v2 https://developer.okta.com/docs/api/ https://clerk.com/docs/reference/backend-api
  {
    host: /\.auth0\.com$|\.okta(?:preview)?\.com$|^api\.(?:clerk|workos)\.com$/,
    path: /\/(?:users|clients|connections|roles|organizations|apps|groups|user_management)\/[^/]+$/,
  },
  // https://learn.microsoft.com/graph/api/overview
  { host: /^graph\.microsoft\.com$/, path: /\/(?:users|groups|applications|servicePrincipals|sites|teams)\/[^/]+$/ },
  // https://docs.datadoghq.com/api/latest/ https://developer.pagerduty.com/api-reference/ https://docs.sentry.io/api/
  {
    host: /^api\.(?:datadoghq\.(?:com|eu)|pagerduty\.com)$|^(?:[\w-]+\.)?sentry\.io$/,
    path: /\/(?:dashboard|dashboards|monitor|monitors|services|schedules|users|projects|teams|organizations)\//,
  },
  // https://developer.atlassian.com/cloud/bitbucket/rest/ https://shopify.dev/docs/api/admin-rest
  { host: /^api\.bitbucket\.org$/, path: /^\/2\.0\/(?:repositories\/[^/]+\/[^/]+|workspaces\/.+)$/ },
  { host: /\.myshopify\.com$/, path: /^\/admin\/api\// },
  // https://platform.openai.com/docs/api-reference https://docs.pinecone.io/reference/api
  { host: /^api\.openai\.com$/, path: /^\/v1\/(?:files|vector_stores|assistants|models)\/[^/]+$/ },
  { host: /^api\.pinecone\.io$/, path: /^\/(?:indexes|collections)\/[^/]+$/ },
  // https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md https://docs.docker.com/reference/api/hub/latest/
  { host: /^(?:registry\.npmjs\.org|hub\.docker\.com|huggingface\.co)$/, path: ANY_PATH },
];

/** Products that can run on any host and are therefore identified by API path. */
export const API_PATHS: readonly (ApiRow & { engine?: true })[] = [
  // https://docs.gitlab.com/api/projects/#delete-a-project
  { path: /^\/api\/v4\/(?:projects|groups)\/[^/]+$/ },
  {
    path: /^\/api\/v4\/projects\/[^/]+\/(?:repository\/(?:branches\/(?:main|master|production|develop)|tags\/[^/]+)|releases\/[^/]+|registry\/repositories\/\d+|packages\/\d+|terraform\/state\/[^/]+)$/,
  },
  // Objects that hold data or other objects, and requests that delete all objects of a kind.
  // https://kubernetes.io/docs/reference/kubernetes-api/
  { path: /^\/api\/v1\/(?:namespaces|persistentvolumes)(?:\/[^/]+)?$/ },
  { path: /^\/api\/v1\/namespaces\/[^/]+\/(?:[a-z]+|persistentvolumeclaims\/[^/]+)$/ },
  {
    path: /^\/apis\/[^/]+\/v[^/]+\/(?:customresourcedefinitions\/[^/]+|namespaces\/[^/]+\/(?:[a-z]+|statefulsets\/[^/]+))$/,
  },
  // https://docs.docker.com/reference/api/engine/
  { engine: true, path: /^(?:\/v[\d.]+)?\/(?:volumes|secrets|services)\/[^/]+$/ },
  { engine: true, path: /^(?:\/v[\d.]+)?\/containers\/[^/]+$/, query: /[?&]v=(?:1|true)/i },
  { engine: true, method: "POST", path: /^(?:\/v[\d.]+)?\/volumes\/prune$/ },
];

/** Databases and other services, identified by their default port. */
export const API_PORTS: readonly (ApiRow & { port: string })[] = [
  // Elasticsearch: indices, data streams and snapshots. https://www.elastic.co/docs/api/doc/elasticsearch/
  { port: "9200", path: /^\/(?:\*|[^/]+|_(?:data_stream|snapshot|index_template)\/.+)$/ },
  { port: "9200", method: "POST", path: /\/_delete_by_query$/, body: /"match_all"|[?&]q=\*(?:[:&\s]|$)/ },
  // https://solr.apache.org/guide/solr/latest/deployment-guide/collections-api.html
  { port: "8983", method: "POST", path: /\/update(?:\/json)?$/, body: /\*:\*/ },
  { port: "8983", method: "GET", path: /\/admin\/(?:collections|cores)$/, query: /[?&]action=(?:DELETE|UNLOAD)\b/i },
  // https://docs.couchdb.org/en/stable/api/database/common.html
  { port: "5984", path: /^\/[^/_][^/]*$/ },
  // https://api.qdrant.tech https://typesense.org/docs/latest/api/collections.html
  { port: "6333", path: /^\/collections\/[^/]+$/ },
  { port: "8108", path: /^\/collections\/[^/]+$/ },
  // https://www.meilisearch.com/docs/reference/api/indexes
  { port: "7700", path: /^\/indexes\/[^/]+(?:\/documents)?$/ },
  // https://docs.weaviate.io/weaviate/api/rest
  { port: "8080", path: /^\/v1\/schema\/[^/]+$/ },
  // https://docs.arangodb.com/stable/develop/http-api/databases/
  { port: "8529", path: /\/_api\/(?:database|collection)\/[^/]+$/ },
  // https://www.rabbitmq.com/docs/http-api-reference
  { port: "15672", path: /^\/api\/(?:vhosts|users|queues\/[^/]+|exchanges\/[^/]+)\/[^/]+(?:\/contents)?$/ },
  // https://developer.hashicorp.com/consul/api-docs/kv https://developer.hashicorp.com/vault/api-docs
  { port: "8500", path: /^\/v1\/kv\//, query: /[?&]recurse\b/ },
  { port: "8200", path: /^\/v1\/(?:sys\/(?:mounts|auth|policies|namespaces)|[^/]+\/metadata)\/./ },
  // https://prometheus.io/docs/prometheus/latest/querying/api/#delete-series
  { port: "9090", method: "POST", path: /\/admin\/tsdb\/delete_series$/ },
  // https://docs.influxdata.com/influxdb/v2/api/
  { port: "8086", method: "POST", path: /^\/api\/v2\/delete$/ },
  { port: "8086", path: /^\/api\/v2\/buckets\/[^/]+$/ },
];

/** Products with a GraphQL management API. https://docs.railway.com/reference/public-api https://fly.io/docs */
export const GRAPHQL_HOST = /^https:\/\/(?:backboard\.railway\.(?:app|com)|api\.fly\.io)\/graphql/;
/** Mutation names that indicate a deletion, such as `volumeDelete`, `deleteVolume`, and `deploymentRemove`. */
export const GRAPHQL_MUTATION = /\b((?:delete|destroy)[A-Z]\w{0,60}|[a-z]\w{0,60}(?:Delete|Destroy|Remove))\b/;
