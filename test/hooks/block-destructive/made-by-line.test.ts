import { describe, expect, test } from "bun:test";
import { askLine } from "./support.ts";

const DENIED = [
  "createdb a; dropdb a",
  "createdb a && dropdb b",
  "createdb a | tee log && dropdb b a",
  "kind create cluster --name a && kind delete cluster --name b",
  "kind create cluster --name a && kind delete cluster",
  "kubectl create namespace t && kubectl delete namespace prod",
  "kubectl create pvc a && kubectl delete pvc --all",
  "kubectl create sts a && kubectl delete sts -l app=b",
  "! createdb a && dropdb a",
  "docker create --name a -v data:/data postgres && docker exec a psql -c 'drop table t'",
  "kubectl apply -f ns.yaml && kubectl delete namespace t",
  "docker run -d --name a postgres && docker exec b psql -c 'drop table t'",
  "docker run -d --name a -v /srv:/srv x && docker exec a psql -c 'drop table t'",
  "docker run -d --name a x; docker exec a psql -c 'drop table t'",
  "docker run -d --name a x && echo 'a'; docker rm -fv a",
  "docker run -d --name a x && echo \"it's\"; docker rm -fv b 'x'",
  "cd $(mktemp -d) && cd - && git reset --hard",
  "git filter-repo --path src",
  "git clone . ../x && git -C ../y filter-repo --path src",
];
const ALLOWED = [
  "createdb a && psql a < backup.sql && dropdb a",
  "createdb -O me a && dropdb a",
  "kind create cluster --name ci-$$ && kubectl apply -f k8s/ && kind delete cluster --name ci-$$",
  "kubectl create namespace t && kubectl -n t apply -f x && kubectl delete namespace t",
  "docker run -d --name a postgres:16 && sleep 4 && docker exec a psql -c 'create table t(); drop table t'",
  'docker run -d --name a postgres && docker exec a psql -c "create table t(); drop table t" && docker rm -fv a',
  "docker run -d --name a redis && docker exec a sh -c 'redis-cli set x 1; redis-cli get x' && docker rm -v a",
  "docker create --name a postgres:16 && docker start a && docker exec a psql -c 'drop table t'",
  "docker run -d --rm --name=a redis && docker exec a redis-cli flushall",
  'T=$(mktemp -d) && cd "$T" && git init -q && git clean -fdx && git reset --hard',
  'd=$(mktemp -d) && git clone -q . "$d" && cd "$d" && git checkout -- . && git clean -fd',
  "git clone -q --mirror . /tmp/m.git && cd /tmp/m.git && git filter-repo --path src --force",
  "git clone . ../x && git -C ../x filter-branch --tree-filter 'rm -f big' HEAD",
];

describe("a file or branch that the command line itself creates", () => {
  for (const line of DENIED)
    test(`does not excuse: ${line}`, async () => expect((await askLine(line))?.decision).toBe("deny"));
  for (const line of ALLOWED)
    test(`may be removed by: ${line}`, async () => expect((await askLine(line))?.reason).toBeUndefined());
});
