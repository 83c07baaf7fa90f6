import type { CommandRule } from "./pattern.ts";

const DATABASE_LOSS = "it deletes everything in the database";
const MIGRATION_LOSS = "it reverts every migration and deletes what they created";

/**
 * Rules about databases changed through application code, build tools, and server tools, in the `database` category.
 */
export const frameworkDatabaseRules: readonly CommandRule[] = [
  {
    id: "database/model-code",
    // https://api.rubyonrails.org/classes/ActiveRecord/Relation.html#method-i-delete_all
    // https://docs.djangoproject.com/en/stable/topics/db/queries/#deleting-objects https://laravel.com/docs/eloquent#deleting-models
    // https://hexdocs.pm/ecto/Ecto.Repo.html#c:delete_all/2 https://www.prisma.io/docs/orm/reference/prisma-client-reference#deletemany
    program: "rails|manage.py|django-admin|django|artisan|mix|flask",
    pattern: "runner|r|console|c|shell|shell_plus|tinker|run|eval <models> !-s|--sandbox ?isOutsideTests",
    reason: 'it runs "<models>", which deletes every row',
    deny: [
      "rails runner 'User.delete_all'",
      'bin/rails runner -e production "Order.destroy_all"',
      "rails console <<< 'Shop::Order.unscoped.delete_all'",
      "rails runner 'User.find_each(&:destroy!)'",
      'python manage.py shell -c "from app.models import Order; Order.objects.all().delete()"',
      'php artisan tinker --execute="App\\Models\\User::truncate()"',
      "php artisan tinker --execute=\"DB::table('users')->delete()\"",
      "mix run -e 'Shop.Repo.delete_all(Shop.Order)'",
      "rails runner 'ActiveRecord::Base.connection.execute(\"DROP TABLE users\")'",
    ],
    allow: [
      "rails runner 'User.where(old: true).delete_all'",
      "rails runner 'puts User.count'",
      "RAILS_ENV=test rails runner 'User.delete_all'",
      "rails runner -e test 'User.delete_all'",
      'python manage.py shell -c "Order.objects.filter(id=3).delete()"',
      'php artisan tinker --execute="echo App\\Models\\User::count()"',
    ],
  },
  {
    id: "database/library-code",
    // https://www.prisma.io/docs/orm/reference/prisma-client-reference#deletemany https://docs.sqlalchemy.org/en/20/core/metadata.html
    program: "python|node|tsx|ts-node|bun|deno",
    pattern: "-c|-e|--eval <libraries>",
    reason: 'it runs "<libraries>", which deletes everything',
    deny: [
      "python -c 'from app import db; db.drop_all()'",
      "node -e 'new PrismaClient().user.deleteMany()'",
      "bun -e 'await prisma.user.deleteMany({})'",
    ],
    allow: ["node -e 'prisma.user.deleteMany({ where: { old: true } })'", "python -c 'print(1)'"],
  },
  {
    id: "database/django-sqlflush",
    // https://docs.djangoproject.com/en/stable/ref/django-admin/#sqlflush
    program: "manage.py|django-admin|django",
    pattern: "sqlflush ?isPipedToClient",
    reason: DATABASE_LOSS,
    deny: ["python manage.py sqlflush | psql shop", "django-admin sqlflush | python manage.py dbshell"],
    allow: ["python manage.py sqlflush", "python manage.py sqlflush > flush.sql", "python manage.py sqlmigrate shop 1"],
  },
  {
    id: "database/build-clean",
    // https://documentation.red-gate.com/fd/clean-277578964.html https://docs.liquibase.com/commands/update/drop-all.html
    program: "mvn|mvnw|mvnd|gradle|gradlew|sbt",
    pattern: "<cleaning>",
    reason: DATABASE_LOSS,
    deny: [
      "mvn flyway:clean -Dflyway.cleanDisabled=false",
      "./gradlew :app:flywayClean",
      "gradle dropAll",
      "./mvnw liquibase:dropAll",
    ],
    allow: ["mvn clean install", "./gradlew clean flywayMigrate", "mvn flyway:info"],
  },
  {
    id: "database/migrate-down-all",
    // https://github.com/pressly/goose https://github.com/golang-migrate/migrate/tree/master/cmd/migrate
    // https://learn.microsoft.com/ef/core/cli/dotnet#dotnet-ef-database-update https://book.cakephp.org/phinx/0/en/commands.html
    // https://db-migrate.readthedocs.io https://www.yiiframework.com/doc/guide/2.0/en/db-migrations
    program: "goose|migrate|dotnet|dotnet-ef|phinx|cake|db-migrate|yii",
    pattern: [
      "** database update 0",
      "** down-to 0",
      "** down -all",
      "** rollback -t|--target 0",
      "** migrate/fresh",
      "** migrate/down all",
    ],
    reason: MIGRATION_LOSS,
    deny: [
      "goose postgres $DATABASE_URL down-to 0",
      "dotnet ef database update 0",
      "migrate -path db -database $URL down -all",
      "phinx rollback -e production -t 0",
      "php yii migrate/fresh --interactive=0",
    ],
    allow: ["goose down", "dotnet ef database update", "migrate -path db -database $URL down 1"],
  },
  {
    id: "database/goose-reset",
    // https://github.com/pressly/goose#reset
    program: "goose|db-migrate",
    pattern: "** reset",
    reason: MIGRATION_LOSS,
    deny: ['goose -dir migrations postgres "$DATABASE_URL" reset', "goose reset", "npx db-migrate reset"],
    allow: ["goose up", "goose status", "db-migrate up"],
  },
  {
    id: "database/server-files",
    // https://www.postgresql.org/docs/current/app-pgresetwal.html https://manpages.debian.org/pg_dropcluster
    program: "pg_dropcluster|pg_resetwal|pg_resetxlog",
    pattern: "!-n|--dry-run",
    reason: "it deletes the server's data, or the write-ahead log that the data depends on",
    deny: ["sudo pg_dropcluster --stop 16 main", "pg_resetwal -f /var/lib/postgresql/16/main"],
    allow: [
      "pg_lsclusters",
      "pg_resetwal -n /var/lib/postgresql/16/main",
      "pg_controldata /var/lib/postgresql/16/main",
    ],
  },
  {
    id: "database/package-purge",
    // Debian packages delete their data when purged [unverified for each].
    program: "apt|apt-get|aptitude|dpkg",
    pattern: [
      "** purge|autopurge <server> !-s|--simulate|--dry-run|--just-print",
      "** remove|autoremove --purge <server> !-s|--simulate|--dry-run|--just-print",
      "-P|--purge <server>",
    ],
    reason: "it may delete the databases of <server> along with the package",
    advice: "remove the package without purging it",
    deny: ["sudo apt-get purge -y 'postgresql*'", "apt remove --purge mysql-server", "dpkg --purge mongodb-org-server"],
    allow: ["apt-get purge -y postgresql-client-16", "apt-get remove -y redis-server", "apt purge nginx"],
  },
  {
    id: "database/sql-server-remove",
    // https://docs.dbatools.io https://learn.microsoft.com/powershell/module/sqlserver/
    program:
      "remove-sqldatabase|remove-dbadatabase|remove-dbadatabasesafely|remove-dbadbtable|remove-dbadbschema|remove-dbalogin|remove-sqllogin|remove-dbabackup|remove-dbadbdata|reset-dbaadmin",
    pattern: "",
    reason: "it deletes a database, its contents or its users",
    deny: [
      "Remove-SqlDatabase -ServerInstance sql1 -Name shop -Force",
      "Remove-DbaDatabase -SqlInstance sql1 -Database shop -Confirm:$false",
    ],
    allow: ["Get-DbaDatabase -SqlInstance sql1", "Remove-DbaDatabase -SqlInstance sql1 -Database shop -WhatIf"],
  },
  {
    id: "database/sql-server-restore",
    program: "restore-sqldatabase|restore-dbadatabase",
    pattern: "-replacedatabase|-withreplace",
    reason: "it overwrites the database with a backup",
    deny: [
      "Restore-DbaDatabase -SqlInstance sql1 -Path C:\\shop.bak -WithReplace",
      "Restore-SqlDatabase -ServerInstance sql1 -Database shop -BackupFile shop.bak -ReplaceDatabase",
    ],
    allow: ["Restore-DbaDatabase -SqlInstance sql1 -Path C:\\shop.bak -DatabaseName shop_copy"],
  },
  {
    id: "database/http-sql",
    // https://clickhouse.com/docs/interfaces/http https://docs.influxdata.com/influxdb/v1/tools/api/ https://trino.io/docs/current/develop/client-protocol.html
    // https://rqlite.io/docs/api/ https://developers.cloudflare.com/api/resources/d1/ https://neo4j.com/docs/http-api/current/
    program: "curl|wget|http|https|xh|xhs|curlie",
    pattern: "<requested>",
    reason: 'it runs "<requested>"',
    deny: [
      'curl "http://localhost:8123/" --data-binary "DROP TABLE default.events"',
      "curl -s 'http://ch1:8123/?query=DROP+TABLE+events' -X POST",
      "echo 'TRUNCATE TABLE events' | curl http://clickhouse:8123/ --data-binary @-",
      "curl -G http://localhost:8086/query --data-urlencode 'q=DROP DATABASE shop'",
      `curl https://api.cloudflare.com/client/v4/accounts/1/d1/database/2/query -d '{"sql":"DROP TABLE users"}'`,
    ],
    allow: [
      "curl 'http://localhost:8123/?query=SELECT+1'",
      'curl http://localhost:3000/api/search -d \'{"query":"DROP TABLE users"}\'',
      "curl 'http://localhost:3000/?q=DROP+TABLE+users'",
      "curl 'http://localhost:8123/?database=shop_test' --data-binary 'TRUNCATE TABLE events'",
    ],
  },
];
