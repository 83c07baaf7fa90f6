import { expect, test } from "bun:test";
import { askLine } from "./support.ts";

const denied = [
  "RAILS_ENV=test DATABASE_URL=$PROD_URL rails db:drop",
  'RAILS_ENV=test DATABASE_URL="$PROD_URL" bundle exec rails db:drop',
  "RAILS_ENV=test DATABASE_URL=postgres://localhost/shop rails db:drop",
  "export DATABASE_URL=postgres://prod/shop; RAILS_ENV=test rails db:reset",
  "DATABASE_URL=postgres://prod/shop; RAILS_ENV=test rails db:reset",
  'export DATABASE_URL="$(cat url)" RAILS_ENV=test && rails db:drop',
  "env -u X RAILS_ENV=test DATABASE_URL=postgresql://u:p@prod.host:5432/shop bin/rails db:reset",
  "rake db:drop RAILS_ENV=test DATABASE_URL=postgres://prod/shop",
  "rake db:drop RAILS_ENV=production",
  'NODE_ENV=test DATABASE_URL="$PROD" npx prisma migrate reset --force',
  "npx cross-env NODE_ENV=test DATABASE_URL=$PROD prisma migrate reset",
  "MIX_ENV=test DATABASE_URL=ecto://prod/shop mix ecto.drop",
  "APP_ENV=test DB_DATABASE=shop php artisan migrate:fresh",
  "APP_ENV=test DATABASE_URL=mysql://prod/shop php bin/console doctrine:database:drop --force",
  "dotenv -e .env.production -- npx prisma migrate reset --force",
  "docker compose exec -e RAILS_ENV=test -e DATABASE_URL=$PROD web rails db:drop",
  "export RAILS_ENV=test; ssh db rails db:drop",
  "RAILS_ENV=test psql shop -c 'DROP TABLE users'",
  "DATABASE_URL=postgres://localhost/shop_test psql shop -c 'DROP TABLE users'",
  "symfony console doctrine:database:drop --force",
  "symfony console d:d:d --force --env=prod",
  "symfony php bin/console doctrine:database:drop --force",
  "castor console doctrine:schema:drop --force",
  "spring rails db:drop",
  "docker compose down -v",
  "docker compose -p latest down -v",
  "docker compose -f $FILE down -v",
  "docker compose -f docker-compose.prod.yml down -v",
  'docker compose -p "$P" -f docker-compose.test.yml down -v',
  "docker compose --project-name=prod -f test/compose.yml down -v",
  "docker compose -f docker-compose.test.yml -f docker-compose.yml down -v",
];
const allowed = [
  "RAILS_ENV=test rails db:drop",
  "export RAILS_ENV=test; rails db:drop",
  "rake db:drop RAILS_ENV=test",
  "RAILS_ENV=test DATABASE_URL=postgres://localhost/shop_test rails db:drop",
  "RAILS_ENV=test DATABASE_URL=mysql2://root@db:3306/test?pool=5 rails db:drop",
  "DATABASE_URL=$TEST_DATABASE_URL RAILS_ENV=test rails db:drop",
  "DATABASE_URL=${DATABASE_URL_TEST} rails db:drop",
  "DATABASE_URL=sqlite::memory: RAILS_ENV=test rails db:reset",
  "DATABASE_URL=sqlite3:db/test.sqlite3 rails db:reset",
  "DATABASE_URL=postgres://localhost:5432/shop_test npx prisma migrate reset --force",
  "cross-env NODE_ENV=test npx prisma migrate reset --force",
  "APP_ENV=testing DB_DATABASE=shop_test php artisan migrate:fresh",
  "dotenv -e .env.test -- npx prisma migrate reset --force",
  "docker compose run --rm -e RAILS_ENV=test web rails db:reset",
  "symfony console doctrine:database:drop --force --env=test",
  "symfony console doctrine:migrations:migrate",
  "docker compose -p test -f docker-compose.test.yml down -v",
  "docker compose -p shop-test down -v",
  "docker compose -f compose.test.yaml down --volumes --remove-orphans",
  "docker-compose -f docker/test/docker-compose.yml down -v",
  "COMPOSE_PROJECT_NAME=shop_test docker compose down -v",
  "COMPOSE_FILE=docker-compose.test.yml docker compose down -v",
];

test("a test database or test project is recognized by how the command line uses it", async () => {
  const answers: string[] = [];
  for (const line of [...denied, ...allowed]) answers.push(`${(await askLine(line))?.decision ?? "pass"} ${line}`);
  expect(answers).toEqual([...denied.map((line) => `deny ${line}`), ...allowed.map((line) => `pass ${line}`)]);
});
