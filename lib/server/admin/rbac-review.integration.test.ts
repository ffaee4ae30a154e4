import { afterAll, beforeAll, expect, it } from "vitest";
import { gatehouseAccount } from "#sandbox/apiserver/auth.ts";
import { authorizeByRbac, type RbacObject, readManifest } from "#test/rbac.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";

const rbac: RbacObject[] = [...readManifest("rbac-read.yaml"), ...readManifest("rbac-act.yaml")];
let sandbox: SandboxServer;

beforeAll(async () => {
  sandbox = await startSandboxServer({ users: new Map([["t", gatehouseAccount]]), authorize: authorizeByRbac(rbac) });
});
afterAll(() => sandbox.close());

async function ask(spec: object): Promise<{ status: number; allowed: unknown }> {
  const response = await fetch(`${sandbox.url}/apis/authorization.k8s.io/v1/subjectaccessreviews`, {
    method: "POST",
    headers: { authorization: "Bearer t", "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec }),
  });
  const answer = (await response.json()) as { status?: { allowed?: unknown } };
  return { status: response.status, allowed: answer.status?.allowed };
}

it("needs the manifest in deploy/ to ask about somebody, and nothing else of it", async () => {
  const resourceAttributes = { verb: "patch", group: "argoproj.io", resource: "rollouts", namespace: "payments" };
  const spec = { user: "somebody", groups: ["system:authenticated"], resourceAttributes };
  expect(await ask(spec)).toMatchObject({ status: 403 });
  rbac.push(...readManifest("rbac-review.yaml"));
  expect(await ask(spec)).toEqual({ status: 201, allowed: false });
  // As the API server says it of a review about nobody.
  expect(await ask({ resourceAttributes })).toMatchObject({ status: 422 });
});
