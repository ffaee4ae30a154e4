import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listNamedSchemas, tidySchemas } from "./named-schemas.ts";
import { createOpenApiDocument } from "./openapi.ts";

it("knows every exported schema of the contract by one name", () => {
  const texts = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".ts") && !name.includes(".test."))
    .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));
  const exported = texts.flatMap((text) => [...text.matchAll(/^export const ([A-Z]\w*)/gm)].map(([, name]) => name));
  expect(exported).toHaveLength(new Set(exported).size);
  expect([...Object.keys(listNamedSchemas()), "Problem"].toSorted()).toEqual(exported.toSorted());
});

it("names in the document what operations lead to, and nothing else", () => {
  const document = createOpenApiDocument();
  const schemas = document.components?.schemas ?? {};
  const { listRollouts } = Object.fromEntries(
    Object.values(document.paths ?? {}).flatMap((methods) =>
      Object.values(methods).map((operation) => [operation.operationId, operation]),
    ),
  );
  expect(listRollouts?.responses["200"]?.content?.["application/json"].schema.properties.items).toEqual({
    type: "array",
    items: { $ref: "#/components/schemas/RolloutSummary" },
  });
  expect(schemas).not.toHaveProperty("RolloutListQuery");
  const text = JSON.stringify(document);
  const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
  // The items of streams, which an operation cannot refer to.
  expect(unused).toEqual(["ChangeEvent", "LogRecord"]);
  const unknown = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].filter(([, name = ""]) => !(name in schemas));
  expect(unknown).toEqual([]);
});

it("keeps what is answered apart from what is sent only if an operation uses both", () => {
  const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const tidied = tidySchemas({
    paths: { "/a": { sent: refer("Both"), answered: [refer("BothOutput"), refer("OnlyOutput")] } },
    components: {
      schemas: {
        Both: {},
        BothOutput: { items: refer("InnerOutput") },
        Only: {},
        OnlyOutput: {},
        Inner: {},
        InnerOutput: {},
      },
    },
  });
  expect(tidied.paths["/a"]).toEqual({ sent: refer("Both"), answered: [refer("BothOutput"), refer("Only")] });
  expect(tidied.components.schemas).toEqual({ Both: {}, BothOutput: { items: refer("Inner") }, Inner: {}, Only: {} });
});
