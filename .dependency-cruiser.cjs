// The import rules of the architecture as errors; scripts/import-rules.test.ts plants a violation of each. The rooms of
// lib/server have one more, in scripts/import-rules.mjs.
// dependency-cruiser sees `import type` as well: a rule that lets types through says dependencyTypesNot: type-only.
const { existsSync, readdirSync } = require("node:fs");
const { join } = require("node:path");

const tests = "\\.test\\.tsx?$|/testing/";
const typeOnly = { dependencyTypesNot: ["type-only"] };

/** Files in `from` may import, of this project, only what `only` matches. */
function layer({ name, from, only, comment }) {
  return {
    name,
    severity: "error",
    comment,
    from: { path: from, pathNot: tests },
    to: { path: "^(app|bench|bin|components|demo|e2e|lib|packages|sandbox|scripts|test)/", pathNot: only },
  };
}

/** Only files in `importer` may import `target`. */
function singleImporter({ name, target, importer, comment, extra = {} }) {
  return { name, severity: "error", comment, from: { pathNot: importer }, to: { path: target, ...extra } };
}

/** The folders of lib/domain that hold a provider. */
const providers = readdirSync(join(__dirname, "lib/domain")).filter(
  (folder) => folder !== "delivery" && existsSync(join(__dirname, "lib/domain", folder, "provider.ts")),
);

const providerFolders = providers.map((provider) => ({
  name: "a-provider-is-a-folder",
  severity: "error",
  comment:
    "Ask lib/domain/providers.ts. Only the lists of providers know one by name, and the hooks, which speak one " +
    "controller's protocol; benches measure Argo's engine.",
  from: {
    path: "^(app|bin|components|lib)/",
    pathNot: `^lib/server/webhooks/|^lib/domain/(${provider}/|provider-list\\.ts|providers\\.ts|controller-words\\.ts)|${tests}`,
  },
  to: { path: `^lib/domain/${provider}/` },
}));

const forbidden = [
  { name: "no-cycles", severity: "error", comment: "Split the shared part out.", from: {}, to: { circular: true } },
  {
    name: "no-unresolvable",
    severity: "error",
    comment: "The path does not lead to a file or an installed package.",
    from: {},
    // The generated Prisma client is missing before the first generate, and checked by the compiler after it.
    to: { couldNotResolve: true, pathNot: "lib/server/platform/db/generated" },
  },
  {
    name: "no-dev-dependencies",
    severity: "error",
    comment: "What runs in production comes from dependencies.",
    from: { path: "^(app|bin|components|demo|lib|sandbox)/", pathNot: tests },
    to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"], pathNot: "node_modules/@types/" },
  },
  layer({
    name: "util-imports-only-util",
    from: "^lib/util/",
    only: "^lib/util/",
    comment: "lib/util is the lowest layer.",
  }),
  layer({
    name: "expr-imports-only-expr-and-util",
    from: "^lib/expr/",
    only: "^lib/(expr|util)/",
    comment: "The expression language knows nothing of what it is used for.",
  }),
  layer({
    name: "domain-imports-only-domain-and-util",
    from: "^lib/domain/",
    only: "^lib/(domain|expr|util)/",
    comment: "lib/domain is pure.",
  }),
  {
    name: "domain-packages",
    severity: "error",
    comment:
      "lib/domain is pure: of packages only zod, re2js, canonicalize, croner, semver, yaml, and nothing of Node.",
    from: { path: "^lib/(domain|expr)/", pathNot: tests },
    to: {
      dependencyTypes: ["core", "npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown"],
      pathNot: "node_modules/(zod|re2js|canonicalize|croner|semver|yaml)/",
    },
  },
  layer({
    name: "contract-imports-only-domain-and-util",
    from: "^lib/contract/",
    only: "^lib/(contract|domain|expr|util)/",
    comment: "The contract knows no server and no browser.",
  }),
  layer({
    name: "mcp-layer",
    from: "^lib/mcp/",
    only: "^lib/(mcp|contract|domain|expr|util)/",
    comment: "Agents get their answers from the API, in the server's process or over HTTP.",
  }),
  layer({
    name: "client-layer",
    from: "^lib/client/",
    only: "^(lib/(client|contract|domain|expr|util)|packages/client/src)/",
    comment: "lib/client runs in the browser.",
  }),
  layer({
    name: "components-layer",
    from: "^(components|demo/page)/",
    only: "^($1|components|lib/(client|contract|domain|expr|util)|packages/client/src)/",
    comment: "Components never import server code.",
  }),
  {
    name: "contract-types-only",
    severity: "error",
    comment: "No zod goes to the browser: `import type` from lib/contract.",
    from: { path: "^(components|demo/page|lib/client)/", pathNot: tests },
    to: { path: "^lib/contract/", ...typeOnly },
  },
  {
    name: "no-other-page-family",
    severity: "error",
    comment: "A page family uses the shared folders, never another family.",
    from: { path: "^components/(?!(?:ui|charts|shell|actions|gate-credentials)/)([^/]+)/" },
    to: { path: "^components/", pathNot: "^components/(ui|charts|shell|actions|gate-credentials|$1)/" },
  },
  {
    name: "shared-components-know-no-page",
    severity: "error",
    comment: "ui, charts, actions and gate-credentials are used by the page families, not the other way round.",
    from: { path: "^components/(ui|charts|actions|gate-credentials)/" },
    to: { path: "^components/", pathNot: "^components/(ui|charts|actions|gate-credentials)/" },
  },
  layer({
    name: "server-layer",
    from: "^lib/server/",
    only: "^lib/(server|mcp|contract|domain|expr|util)/",
    comment: "The server imports neither browser code, nor the sandbox, nor its entry points.",
  }),
  {
    name: "packages-are-alone",
    severity: "error",
    comment: "What is packed for others imports nothing of ours, no package and nothing of Node.",
    from: { path: "^packages/", pathNot: tests },
    to: { pathNot: "^packages/" },
  },
  {
    name: "server-imports-no-packages",
    severity: "error",
    comment: "Packages are for those who call the API: other programs, pages and commands.",
    from: { pathNot: `^(packages|bin|components|demo/page|lib/client|scripts/history|test|e2e)/|${tests}` },
    to: { path: "^packages/" },
  },
  {
    name: "only-the-edge-knows-next",
    severity: "error",
    comment: "Below the edge, lib/server takes and gives plain values: no next/*.",
    from: { path: "^lib/server/(?!edge/)" },
    to: { path: "node_modules/next/" },
  },
  ...providerFolders,
  {
    name: "sandbox-is-an-outside-system",
    severity: "error",
    comment: "The sandbox imports only lib/domain/argo/analysis, lib/expr and lib/util of ours.",
    from: { path: "^sandbox/", pathNot: tests },
    to: {
      path: "^(app|bench|bin|components|e2e|lib|scripts|test)/",
      pathNot: "^lib/(domain/argo/analysis|expr|util)/",
    },
  },
  {
    name: "nobody-imports-the-sandbox",
    severity: "error",
    comment: "It is started as a process and spoken to over HTTP.",
    from: { path: "^(app|bin|components|lib)/", pathNot: tests },
    to: { path: "^sandbox/" },
  },
  {
    name: "demo-is-loaded-on-demand",
    severity: "error",
    comment:
      "Production loads no demo code: `await import()` it where the config has `demo`. lib and components never do.",
    from: {
      path: "^(app|bin|components|lib)/|^(instrumentation|proxy)\\.ts$",
      pathNot: `^bin/(commands/demo\\.ts|launcher/demo-)|${tests}`,
    },
    to: { path: "^demo/", dynamic: false },
  },
  {
    name: "nobody-imports-entry-points",
    severity: "error",
    comment: "app, bin and bench are ends of the graph. test/real plays the whole of Gatehouse.",
    from: { pathNot: "^(app|bin|bench|scripts|next-env|test/real/)" },
    to: { path: "^(app|bin|bench)/" },
  },
  singleImporter({
    name: "only-kubernetes-imports-client-node",
    target: "node_modules/@kubernetes/client-node/",
    importer: "^lib/server/clusters/kubernetes/|^test/real/real-cluster\\.ts$",
    comment: "Use lib/server/clusters/kubernetes. The real tier compares with a client that is none of ours.",
  }),
  singleImporter({
    name: "only-db-imports-prisma",
    target: "^lib/server/platform/db/generated/|node_modules/@prisma/",
    importer: "^lib/server/platform/db/|^prisma\\.config\\.ts$|^scripts/",
    comment: "Use lib/server/platform/db; types may be imported anywhere in lib/server.",
    extra: typeOnly,
  }),
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden,
  options: {
    doNotFollow: { path: "node_modules|lib/server/platform/db/generated" },
    exclude: { path: "^\\.next/|^next-env\\.d\\.ts$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".cjs", ".json", ".css"],
    },
  },
};
