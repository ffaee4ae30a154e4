import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { RolloutDetail } from "#lib/contract/rollout.ts";
import { formatReport, report } from "./report.ts";

const rollout: RolloutDetail = {
  ...RolloutDetail.parse(answers.getRollout),
  ...{ id: "demo/shop/Rollout/cart", cluster: "demo", namespace: "shop", kind: "Rollout", name: "cart" },
  ...{ phase: "Paused", providerPhase: null, attention: null, weight: { set: 50, actual: 50 } },
  images: [{ image: "registry/cart:v1", tags: ["stable"] }],
};
const made = { status: 3, outcome: "missed", text: "aborted: v1", rollout };
let folder: string;
let file: string;
let printed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-report-"));
  file = join(folder, "summary.md");
  printed = "";
  for (const to of ["stdout", "stderr"] as const)
    vi.spyOn(process[to], "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  vi.stubEnv("GATEHOUSE_URL", "https://gatehouse.example.com/tools/");
  vi.stubEnv("GATEHOUSE_TOKEN", "ght_secret");
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it("prints the outcome, and appends it to the file in Markdown, without the token", async () => {
  writeFileSync(file, "# Before\n\n");
  expect(await report({ title: "wait shop/cart --for promoted", file }, async () => made)).toBe(3);
  expect(printed).toBe("shop/cart: aborted: v1\n");
  expect(readFileSync(file, "utf8")).toBe(`# Before

### Gatehouse: wait shop\\/cart \\-\\-for promoted

**missed**: aborted\\: v1

| | |
|---|---|
| Rollout | demo\\/shop\\/Rollout\\/cart |
| Version | v1 |
| Phase | Paused |
| Traffic on the new version | 50 \\% |
| Waits for a person | \\- |

[Open in Gatehouse](<https://gatehouse.example.com/tools/rollouts/demo/shop/Rollout/cart>)

`);
});

it("shows text of a cluster and of the caller as text", () => {
  const text = "a | b\n# c <img src=x> [d](https://e.example) `f` \u202eg\u001b[2J **h**";
  const shown = formatReport("wait <b>", { ...made, text }, "https://g.example");
  expect(shown).toContain("wait \\<b\\>");
  expect(shown).toContain(
    "a \\| b \\# c \\<img src\\=x\\> \\[d\\]\\(https\\:\\/\\/e\\.example\\) \\`f\\` \ufffdg\ufffd\\[2J",
  );
  const long = formatReport("t", { ...made, text: "x".repeat(5000) }, "https://g.example");
  expect(long.length).toBeLessThan(2000);
});

it("appends an error too, and throws it on", async () => {
  const failing = report({ title: "gate cart", file }, () => Promise.reject(new Error("there is no rollout cart")));
  await expect(failing).rejects.toThrow("there is no rollout cart");
  expect(readFileSync(file, "utf8")).toBe("### Gatehouse: gate cart\n\n**error**: there is no rollout cart\n\n");
});

it("keeps the exit status if the file cannot be written", async () => {
  expect(await report({ title: "t", file: join(folder, "none/summary.md") }, async () => made)).toBe(3);
  expect(printed).toContain("gatehouse: the summary was not written: ENOENT");
});
