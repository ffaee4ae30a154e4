// Prints the SQL that creates prisma/schema.prisma in an empty database: raw material for a migration file. Partitions,
// triggers and grants are added by hand. Needs no native schema engine.
import { readFile } from "node:fs/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";

// The package exports only a bundler entry, so its files are named by path.
const folder = new URL("../node_modules/@prisma/schema-engine-wasm/", import.meta.url);
const bg = await import(new URL("schema_engine_bg.js", folder).href);
const wasm = await readFile(new URL("schema_engine_bg.wasm", folder));
const { instance } = await WebAssembly.instantiate(wasm, { "./schema_engine_bg.js": bg });
bg.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const path = "prisma/schema.prisma";
const content = await readFile(path, "utf8");
const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: process.env.DATABASE_URL }));
const engine = await bg.SchemaEngine.new({ datamodels: [[path, content]] }, () => {}, adapter);
const result = await engine.diff({
  from: { tag: "empty" },
  to: { tag: "schemaDatamodel", files: [{ path, content }] },
  script: true,
  shadowDatabaseUrl: null,
  exitCode: null,
  filters: { externalTables: [], externalEnums: [] },
});
process.stdout.write(result.stdout ?? "");
