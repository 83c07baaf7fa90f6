import { RESOURCE_LOSS } from "./cloud-reasons.ts";
import type { CommandRule } from "./pattern.ts";

/** Rules about hosted databases, message brokers, and data pipelines, in the `cloud` category. */
export const dataServiceRules: readonly CommandRule[] = [
  {
    id: "cloud/hosted-database-delete",
    // https://neon.com/docs/reference/neon-cli https://planetscale.com/docs/cli https://docs.turso.tech/cli
    // https://www.mongodb.com/docs/atlas/cli/current/ https://docs.confluent.io/confluent-cli/current/
    // https://upstash.com/docs/common/upstash-cli https://docs.couchbase.com https://docs.xata.io/cli
    program: "neonctl|neon|pscale|turso|atlas|mongocli|confluent|ccloud|upstash|xata|avn",
    pattern: "** delete|destroy|terminate|topic-delete|user-delete|database-delete|index-delete ?changesProduct",
    reason: RESOURCE_LOSS,
    deny: [
      "neonctl projects delete x",
      "neon branches delete main",
      "turso db destroy shop",
      "pscale database delete shop --force",
      "atlas clusters delete shop --force",
      "confluent kafka topic delete orders",
      "avn service terminate db",
    ],
    allow: ["neonctl projects list", "confluent context delete old", "atlas clusters list"],
  },
  {
    id: "cloud/neon-branch-reset",
    // https://neon.com/docs/reference/cli-branches
    program: "neonctl|neon",
    pattern: "branches|branch reset|restore",
    reason: "it replaces the branch's data with data from another branch",
    deny: ["neonctl branches reset main --parent", "neon branches restore main ^self@2026-01-01T00:00:00Z"],
    allow: ["neonctl branches create --name dev", "neon branches list"],
  },
  {
    id: "cloud/turso-invalidate",
    // https://docs.turso.tech/cli/db/tokens/invalidate
    program: "turso",
    pattern: "db|group tokens invalidate",
    reason: "every database token would stop working",
    deny: ["turso db tokens invalidate shop -y", "turso group tokens invalidate default"],
    allow: ["turso db tokens create shop", "turso db list"],
  },
  {
    id: "cloud/databricks-delete",
    // https://docs.databricks.com/dev-tools/cli/commands.html
    program: "databricks",
    pattern: ["bundle destroy", "fs rm -r|--recursive", "** delete|permanent-delete|destroy !--dry-run", "* delete-*"],
    reason: "it deletes deployed resources or data, or revokes access",
    deny: [
      "databricks bundle destroy --auto-approve -t prod",
      "databricks fs rm -r dbfs:/data",
      "databricks schemas delete main.shop --force",
      "databricks clusters permanent-delete 1",
      "databricks secrets delete-scope shop",
    ],
    allow: ["databricks bundle deploy", "databricks bundle validate", "databricks fs ls dbfs:/"],
  },
  {
    id: "cloud/snowflake-drop",
    // https://docs.snowflake.com/developer-guide/snowflake-cli/command-reference/overview
    program: "snow",
    pattern: [
      "object|snowpark|streamlit|notebook|git|dbt|dcm ** drop",
      "spcs compute-pool|service|image-repository drop|stop-all",
      "app teardown|drop",
      "stage remove",
    ],
    reason: "it drops Snowflake objects, or removes files from a stage",
    deny: ["snow object drop database shop", "snow app teardown --force --cascade", "snow spcs compute-pool drop gpu"],
    allow: ["snow object list table", "snow connection test", "snow app run"],
  },
  {
    id: "cloud/dbt-full-refresh",
    // https://docs.getdbt.com/reference/resource-configs/full_refresh
    program: "dbt",
    pattern: "run|build|seed -f|--full-refresh <production>",
    reason: "it drops incremental tables and rebuilds them from the data still in the sources",
    deny: ["dbt run --full-refresh --target prod", "dbt build -t production --full-refresh"],
    allow: ["dbt run --full-refresh", "dbt build --target prod", "dbt run --full-refresh -t dev"],
  },
  {
    id: "cloud/dbt-drop",
    // https://docs.getdbt.com/reference/commands/run-operation
    program: "dbt",
    pattern: "run-operation drop*|delete*|truncate*",
    reason: "it runs a macro whose name suggests that it drops or empties objects",
    deny: ["dbt run-operation drop_old_schemas", "dbt run-operation truncate_tables --args '{schema: shop}'"],
    allow: ["dbt run-operation grant_select", "dbt test"],
  },
  {
    id: "cloud/airflow-reset",
    // https://airflow.apache.org/docs/apache-airflow/stable/cli-and-env-variables-ref.html
    program: "airflow|astro",
    pattern: [
      "db reset|downgrade|clean",
      "dags|connections|variables|pools|users|roles|backfills delete",
      "deployment|workspace|organization ** delete|remove",
      "dev kill",
    ],
    reason: "it deletes runs, settings or the metadata database",
    deny: ["airflow db reset -y", "airflow dags delete shop -y", "astro deployment delete x", "astro dev kill"],
    allow: ["airflow db migrate", "airflow dags list", "astro dev stop", "airflow tasks clear shop"],
  },
  {
    id: "cloud/workflow-wipe",
    // https://docs.dagster.io/api/clis/cli https://docs.prefect.io/v3/api-ref/cli https://docs.temporal.io/cli
    // https://mlflow.org/docs/latest/api_reference/cli.html
    program: "dagster|prefect|temporal|mlflow",
    pattern: [
      "run|asset|schedule wipe|delete",
      "server database reset|downgrade",
      "deployment|work-pool|block|variable|flow|automation|experiments|runs delete",
      "operator namespace delete",
      "workflow delete",
      "workflow terminate --query",
      "gc",
    ],
    reason: "it terminates runs, or deletes runs, their history or their definitions",
    deny: [
      "dagster run wipe",
      "prefect server database reset -y",
      "temporal operator namespace delete shop",
      "mlflow gc",
      "temporal workflow terminate --query 'WorkflowType=\"x\"'",
    ],
    allow: ["dagster run list", "prefect deployment ls", "temporal workflow terminate -w x", "mlflow ui"],
  },
  {
    id: "cloud/dvc-gc",
    // https://dvc.org/doc/command-reference/gc
    program: "dvc",
    pattern: ["gc !--dry", "destroy"],
    reason: "it deletes data that is used only by other versions",
    deny: ["dvc gc --workspace --cloud -f", "dvc destroy -f"],
    allow: ["dvc gc --dry --workspace", "dvc push"],
  },
  {
    id: "cloud/git-annex-drop",
    // https://git-annex.branchable.com/git-annex-drop/
    program: "git",
    pattern: "annex drop|dropunused --force",
    reason: "it deletes files without checking that another copy exists",
    advice: "leave out --force",
    deny: ["git annex drop --force big.bin", "git-annex dropunused --force 1-10"],
    allow: ["git annex drop big.bin", "git annex sync"],
  },
  {
    id: "cloud/kafka-delete",
    // https://kafka.apache.org/documentation/#basic_ops
    program:
      "kafka-topics|kafka-topics.sh|kafka-delete-records|kafka-delete-records.sh|kafka-consumer-groups|kafka-consumer-groups.sh|kafka-storage|kafka-storage.sh|kafka-acls|kafka-acls.sh",
    pattern: ["--delete|--delete-offsets", "--offset-json-file", "--reset-offsets --execute", "format", "--remove"],
    reason: "it deletes messages or consumer offsets",
    deny: [
      "kafka-topics.sh --delete --topic orders --bootstrap-server localhost:9092",
      "kafka-delete-records --offset-json-file x.json --bootstrap-server h:9092",
      "kafka-consumer-groups --reset-offsets --to-latest --execute --group g --topic t",
    ],
    allow: [
      "kafka-topics.sh --list --bootstrap-server h:9092",
      "kafka-consumer-groups --reset-offsets --dry-run --group g",
    ],
  },
  {
    id: "cloud/kafka-retention",
    // https://kafka.apache.org/documentation/#topicconfigs_retention.ms
    program: "kafka-configs|kafka-configs.sh|kafka-topics|kafka-topics.sh",
    pattern: "--alter <hardly>",
    reason: "it deletes nearly all messages in the topic",
    deny: [
      "kafka-configs.sh --alter --entity-type topics --entity-name t --add-config retention.ms=1 --bootstrap-server h:9092",
      "kafka-configs --alter --topic orders --add-config=cleanup.policy=delete,retention.ms=1000",
    ],
    allow: [
      "kafka-configs.sh --alter --topic t --add-config retention.ms=604800000",
      "kafka-configs.sh --describe --topic t",
    ],
  },
  {
    id: "cloud/job-queue-clear",
    // https://docs.celeryq.dev/en/stable/reference/cli.html#celery-purge https://python-rq.org/docs/#the-queue
    // https://laravel.com/docs/queues#clearing-jobs-from-queues
    program: "celery|rq|artisan",
    pattern: ["** purge -f|--force", "empty", "queue:clear|queue:flush|horizon:clear"],
    reason: "it deletes pending or failed jobs",
    deny: [
      "celery -A proj purge -f",
      "rq empty --all",
      "php artisan queue:clear redis --force",
      "php artisan queue:flush",
    ],
    allow: ["celery -A proj inspect active", "celery -A proj purge", "rq info", "php artisan queue:restart"],
  },
  {
    id: "cloud/broker-delete",
    // https://docs.redpanda.com/current/reference/rpk/ https://docs.nats.io/using-nats/nats-tools/nats_cli
    // https://pulsar.apache.org/docs/next/admin-api-overview/
    program: "rpk|nats|pulsar-admin|zkCli.sh",
    pattern: [
      "topic|topics|group|namespaces|tenants|registry|schemas ** delete|trim-prefix",
      "container purge",
      "stream|str|s|kv|object|obj|consumer|con|c rm|del|delete|purge",
      "** deleteall|rmr",
    ],
    reason: "it deletes messages, or the queues or topics that hold them",
    deny: [
      "rpk topic delete orders",
      "nats stream purge ORDERS -f",
      "nats stream rm ORDERS",
      "pulsar-admin topics delete persistent://t/n/x",
      "zkCli.sh deleteall /shop",
    ],
    allow: ["rpk topic list", "nats stream ls", "pulsar-admin topics list t/n"],
  },
  {
    id: "cloud/rabbitmq-delete",
    // https://www.rabbitmq.com/docs/man/rabbitmqctl.8
    program: "rabbitmqctl|rabbitmqadmin",
    pattern: "** reset|force_reset|delete_vhost|delete_queue|purge_queue|delete_user|delete|purge|forget_cluster_node",
    reason: "it deletes messages, or the queues or topics that hold them",
    deny: ["rabbitmqctl force_reset", "rabbitmqctl purge_queue orders", "rabbitmqadmin delete queue name=orders"],
    allow: ["rabbitmqctl list_queues", "rabbitmqadmin list queues"],
  },
  {
    id: "cloud/nodetool-delete",
    // https://cassandra.apache.org/doc/latest/cassandra/managing/tools/nodetool/nodetool.html
    // https://docs.couchbase.com/server/current/cli/cbcli/couchbase-cli.html
    // https://www.elastic.co/guide/en/elasticsearch/client/curator/current/singleton-cli.html
    program: "nodetool|couchbase-cli|curator_cli",
    pattern: [
      "clearsnapshot|decommission|removenode|assassinate",
      "bucket-delete|bucket-flush|failover",
      "** delete_indices|delete_snapshots|delete-indices|delete-snapshots",
    ],
    reason: "it deletes snapshots or buckets, or removes a node from the cluster",
    deny: ["nodetool clearsnapshot --all", "nodetool decommission", "couchbase-cli bucket-flush -c h --bucket shop"],
    allow: ["nodetool status", "couchbase-cli bucket-list -c h"],
  },
  {
    id: "cloud/hasura-delete",
    // https://hasura.io/docs/latest/hasura-cli/commands/
    program: "hasura",
    pattern: ["metadata clear|reset", "migrate delete --all", "migrate apply --down"],
    reason: "it reverts migrations, or deletes the API's metadata",
    deny: ["hasura metadata clear", "hasura migrate apply --down all --database-name default"],
    allow: ["hasura metadata apply", "hasura migrate apply"],
  },
  {
    id: "cloud/convex-replace",
    // https://docs.convex.dev/cli
    program: "convex",
    pattern: ["import --replace|--replace-all", "env remove|unset", "deployment|project delete"],
    reason: "it replaces or deletes the deployment's data or settings",
    deny: ["npx convex import --replace-all backup.zip", "npx convex env remove API_KEY --prod"],
    allow: ["npx convex import --table users users.jsonl", "npx convex export"],
  },
];
