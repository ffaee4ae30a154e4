// Rules about what is reachable at run time, over any number of steps: here `import type` does not count.
const base = require("./.dependency-cruiser.cjs");

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "browser-never-reaches-zod",
      severity: "error",
      comment: "No zod goes to the browser, neither directly nor through a file of lib/domain.",
      from: { path: "^(components|demo/page|lib/client)/", pathNot: "\\.test\\.tsx?$|/testing/" },
      to: { path: "node_modules/zod(-openapi)?/", reachable: true },
    },
    {
      name: "browser-never-reaches-the-server",
      severity: "error",
      comment: "Browser code must not lead to server code.",
      from: { path: "^(components|demo/page|lib/client)/", pathNot: "\\.test\\.tsx?$|/testing/" },
      to: { path: "^lib/server/", reachable: true },
    },
    {
      name: "up-never-reaches-the-demo",
      severity: "error",
      comment: "gatehouse up loads no demo code.",
      from: { path: "^bin/commands/up\\.ts$" },
      to: { path: "^(demo|sandbox)/|^bin/(commands/demo|launcher/(demo-|sandbox-))", reachable: true },
    },
  ],
  options: { ...base.options, tsPreCompilationDeps: false },
};
