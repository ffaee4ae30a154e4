import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { Config } from "#lib/server/platform/config/config-schema.ts";
// @ts-expect-error -- plain JavaScript without types.
import { digestOfChart, listFiles, renderObjects } from "./kustomize.mjs";

const folder = join(import.meta.dirname, "../deploy/kustomize");
const written = ["base/resources.yaml", "migrate/resources.yaml"];
const read = (path: string) => readFileSync(join(folder, path), "utf8");

function find(program: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((path) => join(path, program)).find((path) => existsSync(path));
}

const helm = process.env.HELM ?? find("helm");
const kubectl = find("kubectl");

describe("deploy/kustomize", () => {
  it.each(written)("%s is made from the chart as it is: node scripts/kustomize.mjs", (path) => {
    expect(read(path).split("\n", 1)[0]).toContain(digestOfChart());
  });

  it("has no object or label of Helm alone", () => {
    for (const path of written) expect(read(path)).not.toMatch(/helm/i);
  });

  it("binds no account that does not exist, and limits what its pods reach", () => {
    const objects = parseAllDocuments(read("base/resources.yaml")).map((document) => document.toJSON());
    const namesOf = (wanted: string) =>
      objects.filter(({ kind }) => kind === wanted).map(({ metadata }) => metadata.name);
    const bound = objects.filter(({ kind }) => kind === "ClusterRoleBinding").flatMap(({ subjects }) => subjects);
    expect(bound.map(({ name }) => name).filter((name) => !namesOf("ServiceAccount").includes(name))).toEqual([]);
    expect(bound.length).toBeGreaterThan(0);
    expect(namesOf("NetworkPolicy")).toContain("gatehouse-egress");
  });

  it.runIf(helm !== undefined)("has the objects that helm renders", () => {
    for (const [path, text] of Object.entries(listFiles(renderObjects(helm)))) expect(read(path)).toBe(text);
  });

  it.each(["base", "example"])("has a config that the processes accept in %s", (name) => {
    const config = Config.parse(parse(read(`${name}/gatehouse.yaml`)));
    expect(config.recorder).toMatchObject({ host: "0.0.0.0", port: 7470 });
  });

  it.runIf(kubectl !== undefined)("is put together by kubectl, with the image and the config of the example", () => {
    const { stdout, stderr } = spawnSync(kubectl ?? "", ["kustomize", join(folder, "example")], { encoding: "utf8" });
    expect(stderr).toBe("");
    const objects = parseAllDocuments(stdout).map((document) => document.toJSON());
    const images = objects.flatMap(({ spec }) => spec?.template?.spec.containers ?? []).map(({ image }) => image);
    expect(images).toEqual(["registry.example.com/gatehouse:0.2.0", "registry.example.com/gatehouse:0.2.0"]);
    const config = objects.find(({ kind }) => kind === "ConfigMap");
    expect(config.metadata.name).toBe("gatehouse");
    expect(config.data["gatehouse.yaml"]).toBe(read("example/gatehouse.yaml"));
  });
});
