import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error -- plain JavaScript without types: it runs before anything is installed.
import { cruise, describeCruise, roomRule } from "./import-rules.mjs";

const { serverRooms } = createRequire(import.meta.url)("./server-rooms.cjs") as { serverRooms: string[] };

type Violation = { rule: string; from: string; to: string };
type Plant = { rule: string; file: string; text: string };

const plants: Plant[] = [
  ...serverRooms.slice(0, -1).map((room, place) => ({
    rule: roomRule,
    file: `lib/server/${room}/upward.ts`,
    text: `import type {} from "#lib/server/${serverRooms[place + 1]}/above.ts";`,
  })),
  { rule: "no-cycles", file: "lib/util/cycle-a.ts", text: 'import "#lib/util/cycle-b.ts";' },
  { rule: "no-unresolvable", file: "lib/util/lost.ts", text: 'import "#lib/util/nowhere.ts";' },
  { rule: "no-dev-dependencies", file: "lib/server/pages/dev.ts", text: 'import "fast-check";' },
  { rule: "util-imports-only-util", file: "lib/util/upward.ts", text: 'import "#lib/domain/plain.ts";' },
  { rule: "expr-imports-only-expr-and-util", file: "lib/expr/upward.ts", text: 'import "#lib/domain/plain.ts";' },
  {
    rule: "domain-imports-only-domain-and-util",
    file: "lib/domain/upward.ts",
    text: 'import type {} from "#lib/contract/wire.ts";',
  },
  { rule: "domain-packages", file: "lib/domain/impure.ts", text: 'import "node:fs";' },
  {
    rule: "contract-imports-only-domain-and-util",
    file: "lib/contract/upward.ts",
    text: 'import "#lib/client/query.ts";',
  },
  { rule: "mcp-layer", file: "lib/mcp/upward.ts", text: 'import type {} from "#lib/server/platform/db/pool.ts";' },
  { rule: "client-layer", file: "lib/client/upward.ts", text: 'import "#components/ui/button.tsx";' },
  {
    rule: "components-layer",
    file: "components/inbox/server.tsx",
    text: 'import type {} from "#lib/server/platform/db/pool.ts";',
  },
  {
    rule: "contract-types-only",
    file: "lib/client/values.ts",
    text: 'import { wire } from "#lib/contract/wire.ts"; wire;',
  },
  { rule: "no-other-page-family", file: "components/inbox/other.tsx", text: 'import "#components/audit/table.tsx";' },
  {
    rule: "shared-components-know-no-page",
    file: "components/ui/page.tsx",
    text: 'import "#components/audit/table.tsx";',
  },
  { rule: "server-layer", file: "lib/server/pages/browser.ts", text: 'import "#lib/client/query.ts";' },
  { rule: "packages-are-alone", file: "packages/client/src/own.ts", text: 'import "../../../lib/util/plain.ts";' },
  {
    rule: "server-imports-no-packages",
    file: "lib/server/pages/packed.ts",
    text: 'import "#packages/client/src/index.ts";',
  },
  { rule: "only-the-edge-knows-next", file: "lib/server/pages/framework.ts", text: 'import "next/headers.js";' },
  {
    rule: "a-provider-is-a-folder",
    file: "lib/server/pages/named.ts",
    text: 'import "#lib/domain/argo/analysis/phase.ts";',
  },
  {
    rule: "a-provider-is-a-folder",
    file: "lib/domain/argo/analysis/neighbour.ts",
    text: 'import "#lib/domain/flagger/run-key.ts";',
  },
  { rule: "sandbox-is-an-outside-system", file: "sandbox/insider.ts", text: 'import "#lib/domain/plain.ts";' },
  { rule: "nobody-imports-the-sandbox", file: "lib/server/pages/demo.ts", text: 'import "#sandbox/main.ts";' },
  { rule: "demo-is-loaded-on-demand", file: "app/eager.ts", text: 'import "#demo/accounts.ts";' },
  { rule: "nobody-imports-entry-points", file: "components/ui/entry.tsx", text: 'import "../../bin/cli.ts";' },
  {
    rule: "only-kubernetes-imports-client-node",
    file: "lib/server/pages/kube.ts",
    text: 'import "@kubernetes/client-node";',
  },
  { rule: "only-db-imports-prisma", file: "lib/server/pages/prisma.ts", text: 'import "@prisma/client";' },
  { rule: "browser-never-reaches-zod", file: "components/audit/parse.tsx", text: 'import "#lib/domain/schema.ts";' },
  {
    rule: "browser-never-reaches-the-server",
    file: "components/audit/reach.tsx",
    text: 'import "#lib/server/platform/db/pool.ts";',
  },
  { rule: "up-never-reaches-the-demo", file: "bin/commands/up.ts", text: 'import "./other.ts";' },
];

const innocent: Record<string, string> = {
  ...Object.fromEntries(serverRooms.map((room) => [`lib/server/${room}/above.ts`, "export {};"])),
  "lib/util/cycle-b.ts": 'import "#lib/util/cycle-a.ts";',
  "lib/domain/plain.ts": 'import "#lib/util/fine.ts";',
  "lib/domain/schema.ts": 'import "zod";',
  "lib/domain/plain.test.ts": 'import "node:fs"; import "vitest"; import "./plain.ts";',
  "lib/util/fine.ts": "export {};",
  "lib/contract/wire.ts": 'import "zod"; import "#lib/domain/plain.ts"; export const wire = 1;',
  "lib/client/query.ts": 'import type {} from "#lib/contract/wire.ts"; import "#packages/client/src/index.ts";',
  "lib/server/platform/db/pool.ts": 'import "@prisma/client";',
  "lib/server/clusters/kubernetes/client.ts": 'import "@kubernetes/client-node"; import type {} from "@prisma/client";',
  "components/ui/button.tsx": "export {};",
  "components/audit/table.tsx": 'import "#components/ui/button.tsx"; import "#lib/client/query.ts";',
  "sandbox/main.ts": 'import "#lib/util/fine.ts"; import "#lib/domain/argo/analysis/phase.ts";',
  "lib/domain/argo/analysis/phase.ts": "export {};",
  "lib/domain/flagger/run-key.ts": "export {};",
  "demo/accounts.ts": 'import "#lib/server/platform/db/pool.ts";',
  "demo/page/faults.tsx": 'import "#components/ui/button.tsx"; import "./faults.css";',
  "demo/page/faults.css": "",
  "app/on-demand.ts": 'await import("#demo/accounts.ts");',
  "bin/cli.ts": 'import "#lib/server/platform/db/pool.ts";',
  "bin/commands/other.ts": 'import "./demo.ts";',
  "bin/commands/demo.ts": "export {};",
  "packages/client/src/index.ts": "export {};",
};

const projectRoot = dirname(import.meta.dirname);
let tree: string;
let found: { modules: number; violations: Violation[] };

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "gatehouse-imports-"));
  cpSync(join(projectRoot, "package.json"), join(tree, "package.json"));
  cpSync(join(projectRoot, "tsconfig.json"), join(tree, "tsconfig.json"));
  symlinkSync(join(projectRoot, "node_modules"), join(tree, "node_modules"));
  for (const [file, text] of [...Object.entries(innocent), ...plants.map(({ file, text }) => [file, text] as const)]) {
    mkdirSync(join(tree, dirname(file)), { recursive: true });
    writeFileSync(join(tree, file), `${text}\n`);
  }
  found = cruise(tree);
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe("import rules", () => {
  it.each(plants)("$rule catches $file", ({ rule, file }) => {
    expect(
      found.violations.filter((violation) => violation.from === file).map((violation) => violation.rule),
    ).toContain(rule);
  });

  it("leaves files alone that keep the rules", () => {
    const ends = ["lib/util/cycle-b.ts"];
    const accused = found.violations.map((violation) => violation.from);
    expect(Object.keys(innocent).filter((file) => accused.includes(file) && !ends.includes(file))).toEqual([]);
  });

  it("plants a violation of every rule there is", () => {
    const require = createRequire(import.meta.url);
    const rulesOf = (config: string) =>
      (require(join(projectRoot, config)) as { forbidden: { name: string }[] }).forbidden;
    const names = [...rulesOf(".dependency-cruiser.cjs"), ...rulesOf(".dependency-cruiser.runtime.cjs")].map(
      ({ name }) => name,
    );
    const rooms = serverRooms.slice(1).map(() => roomRule);
    expect(plants.map(({ rule }) => rule).toSorted()).toEqual([...names, ...rooms].toSorted());
    expect(names.length).toBeLessThanOrEqual(30);
  });

  it("lists every folder of lib/server that has files", () => {
    const files = readdirSync(join(projectRoot, "lib/server"), { recursive: true, encoding: "utf8" });
    const folders = files
      .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|(^|\/)(generated|testing)\//.test(file))
      .map((file) => dirname(file));
    expect([...new Set(folders)].toSorted()).toEqual(serverRooms.toSorted());
    expect(new Set(serverRooms.map((room) => room.split("/")[0])).size).toBe(16);
  });

  it("fails a tree in which hardly any module was found", () => {
    expect(describeCruise({ modules: 50, violations: [] })).toEqual([
      "only 50 modules were cruised, more than 50 were expected",
    ]);
    expect(describeCruise({ modules: 51, violations: [] })).toEqual([]);
  });
});
