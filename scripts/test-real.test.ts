import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readTarget } from "#test/real/real-target.ts";

it("without KUBECONFIG the tier against real controllers is skipped with one line, and that is no failure", () => {
  const { KUBECONFIG: _none, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, "test-real.mjs")], {
    env,
    encoding: "utf8",
  });
  expect(stdout).toBe("gatehouse tests against real controllers: skipped, KUBECONFIG is not set\n");
  expect(status).toBe(0);
});

it.each([
  { given: {}, listen: "127.0.0.1:9911", reached: "http://127.0.0.1:9911" },
  {
    given: { GATEHOUSE_REAL_METRICS_LISTEN: "0.0.0.0:99", GATEHOUSE_REAL_METRICS_REACHED_AT: "http://172.18.0.1:99" },
    listen: "0.0.0.0:99",
    reached: "http://172.18.0.1:99",
  },
])("the metrics server of the tests listens at $listen and is reached at $reached", ({ given, listen, reached }) => {
  const target = readTarget({ NODE_ENV: "test", KUBECONFIG: "file", GATEHOUSE_REAL_IMAGES: "a:1,a:2,a:3", ...given });
  expect(target).toMatchObject({ images: ["a:1", "a:2", "a:3"], metricsListen: listen, metricsReachedAt: reached });
});
