import { describe, expect, it } from "vitest";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import { describeBlueGreen } from "#lib/domain/argo/view/blue-green.ts";

const startTime = "2026-11-20T12:00:00Z";

function rollout(strategy: object, pauseConditions: object[] = []) {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "login", namespace: "accounts", uid: "u", resourceVersion: "1", creationTimestamp: startTime },
    spec: { strategy },
    status: { pauseConditions },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const paused = [{ reason: "BlueGreenPause", startTime }];

describe("describeBlueGreen", () => {
  it.each([
    { name: "nothing set", spec: {}, promotion: "immediate", at: null, seconds: null },
    { name: "off", spec: { autoPromotionEnabled: false }, promotion: "person", at: null, seconds: null },
    {
      name: "off outranks the time",
      spec: { autoPromotionEnabled: false, autoPromotionSeconds: 30 },
      promotion: "person",
      at: null,
      seconds: null,
    },
    {
      name: "a time counts from the pause",
      spec: { autoPromotionSeconds: 30 },
      promotion: "timed",
      at: "2026-11-20T12:00:30.000Z",
      seconds: 30,
    },
    {
      name: "a time of zero is none",
      spec: { autoPromotionSeconds: 0 },
      promotion: "immediate",
      at: null,
      seconds: null,
    },
  ])("$name", ({ spec, promotion, at, seconds }) => {
    const facts = describeBlueGreen(rollout({ blueGreen: { activeService: "a", ...spec } }, paused));
    expect(facts).toMatchObject({ promotion, autoPromotionSeconds: seconds, activeService: "a", previewService: null });
    expect(facts?.promotesAtMs === null ? null : new Date(facts?.promotesAtMs ?? Number.NaN).toISOString()).toBe(at);
  });

  it("knows no time before the pause begins, or where its start is no time", () => {
    const timed = { blueGreen: { autoPromotionSeconds: 30 } };
    expect(describeBlueGreen(rollout(timed))?.promotesAtMs).toBeNull();
    expect(
      describeBlueGreen(rollout(timed, [{ reason: "BlueGreenPause", startTime: "soon" }]))?.promotesAtMs,
    ).toBeNull();
  });

  it("keeps a delay of zero apart from none", () => {
    expect(describeBlueGreen(rollout({ blueGreen: { scaleDownDelaySeconds: 0 } }))?.scaleDownDelaySeconds).toBe(0);
    expect(describeBlueGreen(rollout({ blueGreen: {} }))?.scaleDownDelaySeconds).toBe(30);
  });

  it("is nothing for a canary", () => {
    expect(describeBlueGreen(rollout({ canary: {} }))).toBeNull();
  });
});
