// npm run generate:client: writes the operations and types of packages/client from the OpenAPI document.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { prepareScript, projectRoot } from "./install.mjs";

await prepareScript();
const { clientFile, describeClient } = await import("./describe-client.ts");
const file = join(projectRoot, clientFile);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, describeClient());
