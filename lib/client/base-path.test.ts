import { afterAll, expect, it, vi } from "vitest";

// Other test files of this worker share the modules, and are not served below a path.
afterAll(() => {
  vi.resetModules();
});

async function below(basePath: string | undefined) {
  vi.resetModules();
  vi.stubEnv("GATEHOUSE_BASE_PATH", basePath);
  const module = await import("./base-path.ts");
  vi.unstubAllEnvs();
  return module;
}

it.each([
  { basePath: undefined, address: "/inbox?a=b" },
  { basePath: "/tools/gatehouse", address: "/tools/gatehouse/inbox?a=b" },
])("makes $address below $basePath", async ({ basePath, address }) => {
  const { withBasePath } = await below(basePath);
  expect(withBasePath("/inbox?a=b")).toBe(address);
});

it.each([
  { basePath: undefined, pathname: "/inbox", path: "/inbox" },
  { basePath: "/gatehouse", pathname: "/gatehouse/inbox", path: "/inbox" },
  { basePath: "/gatehouse", pathname: "/gatehouse/gatehouse/x", path: "/gatehouse/x" },
  { basePath: "/gatehouse", pathname: "/gatehouse/", path: "/" },
  { basePath: "/gatehouse", pathname: "/other/inbox", path: "/other/inbox" },
])("takes $path from $pathname", async ({ basePath, pathname, path }) => {
  const { withoutBasePath } = await below(basePath);
  expect(withoutBasePath(pathname)).toBe(path);
});
