import type { CommandRule } from "./pattern.ts";

const PRODUCT_LOSS_REASON = "it deletes <product>";

/** Rules about requests to product APIs, in the `cloud` category. */
export const apiRules: readonly CommandRule[] = [
  {
    id: "cloud/api-delete",
    program: "curl|wget|http|https|xh|xhs|curlie",
    pattern: "<product>",
    reason: PRODUCT_LOSS_REASON,
    deny: [
      "curl -X DELETE https://api.cloudflare.com/client/v4/zones/1",
      'curl -sX DELETE -H "Authorization: Bearer $TOKEN" https://api.digitalocean.com/v2/droplets/1',
      "curl -X DELETE https://gitlab.example.org/api/v4/projects/12",
      "curl -XDELETE localhost:9200/_all",
      "curl -X DELETE https://k8s.example.org:6443/api/v1/namespaces/shop",
      "curl --unix-socket /var/run/docker.sock -X DELETE http://localhost/v1.44/volumes/data",
      'curl https://backboard.railway.app/graphql/v2 -d \'{"query":"mutation { volumeDelete(volumeId: \\"1\\") }"}\'',
      "http DELETE https://api.netlify.com/api/v1/sites/1",
      "wget --method=DELETE https://api.supabase.com/v1/projects/x",
      'curl --request DELETE https://api.stripe.com/v1/customers/cus_123 -u "$STRIPE_KEY:"',
      "curl -X DELETE https://x.algolia.net/1/indexes/products",
      `curl -X POST es1:9200/orders/_delete_by_query -d '{"query":{"match_all":{}}}'`,
      "curl 'http://localhost:8983/solr/admin/collections?action=DELETE&name=shop'",
    ],
    allow: [
      "curl -X DELETE https://api.example.org/items/1",
      "curl https://api.digitalocean.com/v2/droplets",
      "curl -XDELETE localhost:9200/shop/_doc/1",
      'curl -X DELETE https://api.stripe.com/v1/customers/cus_123 -u "$STRIPE_TEST_KEY:"',
      `curl localhost:9200/orders/_delete_by_query -d '{"query":{"term":{"old":true}}}'`,
      "curl -XDELETE localhost:9200/shop_test",
      "curl -X DELETE http://localhost:3000/api/v1/users/1",
      "curl -X DELETE https://api.heroku.com/apps/shop/dynos",
      'curl https://backboard.railway.app/graphql/v2 -d \'{"query":"query { me { name } }"}\'',
    ],
  },
  {
    id: "cloud/glab-api-delete",
    // https://docs.gitlab.com/cli/api/
    program: "glab",
    pattern: "api <request>",
    reason: "it deletes <request> for everyone",
    deny: ["glab api -X DELETE projects/12", "glab api --method DELETE /projects/me%2Fshop"],
    allow: ["glab api projects/12", "glab api -X DELETE projects/12/issues/3"],
  },
];
