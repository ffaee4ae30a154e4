import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { describeSecretPlace, isSecretPlace, readSecretPlace, SecretPlace, withPath } from "./secret-place.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-secret-place-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the place of a secret", () => {
  it.each(["file:/etc/gatehouse/secret", "file:keys/with space", "env:GATEHOUSE_SECRET_2"])("is %s", (text) => {
    expect(isSecretPlace(text)).toBe(true);
  });

  it.each(["hunter2", "", "file:", "env:", "env:2", "env:A B", "file:///etc/passwd", "https://hooks.example/x"])(
    "is not %j, which the error does not repeat",
    (text) => {
      const { error } = SecretPlace.safeParse(text);
      expect(error?.issues.map(({ message }) => message)).toEqual(["say where it is, as file:PATH or env:NAME"]);
    },
  );

  it("is read without the spaces around the secret, and is empty if there is none", async () => {
    const file = join(folder, "secret");
    writeFileSync(file, " value\n");
    writeFileSync(join(folder, "empty"), "\n");
    vi.stubEnv("SECRET_PLACE_TEST", "other ");
    expect(await readSecretPlace(`file:${file}`)).toBe("value");
    expect(await readSecretPlace("env:SECRET_PLACE_TEST")).toBe("other");
    expect(await readSecretPlace(`file:${join(folder, "empty")}`)).toBe("");
    expect(await readSecretPlace("file:/nowhere/secret")).toBeUndefined();
    expect(await readSecretPlace("env:SECRET_PLACE_TEST_UNSET")).toBeUndefined();
    vi.unstubAllEnvs();
  });

  it("is named in messages, and its path may be relative", () => {
    expect(["file:a/b", "env:NAME"].map(describeSecretPlace)).toEqual(["file a/b", "environment variable NAME"]);
    const toFolder = (path: string) => `/etc/${path}`;
    expect(["file:a/b", "env:NAME"].map((place) => withPath(place, toFolder))).toEqual(["file:/etc/a/b", "env:NAME"]);
  });
});
