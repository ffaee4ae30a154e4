import { describe, expect, it } from "vitest";
import { knowsSuspend, readFailureMode, readFlaggerVersion } from "./controller-version.ts";

describe("readFlaggerVersion", () => {
  it.each([
    ["1.44.0", "1.44.0"],
    ["v1.44.0", "1.44.0"],
    ["ghcr.io/fluxcd/flagger:1.43.0", "1.43.0"],
    ["registry.local:5000/fluxcd/flagger:v1.36.1@sha256:0a1b", "1.36.1"],
    ["ghcr.io/fluxcd/flagger:1.44.0-rc.1", "1.44.0-rc.1"],
    ["ghcr.io/fluxcd/flagger:main-0a1b2c3", undefined],
    ["ghcr.io/fluxcd/flagger", undefined],
    ["registry.local:5000/fluxcd/flagger", undefined],
    ["ghcr.io/fluxcd/flagger@sha256:0a1b", undefined],
    ["latest", undefined],
    ["", undefined],
  ])("reads %s as %s", (text, version) => {
    expect(readFlaggerVersion(text)).toBe(version);
  });
});

describe("readFailureMode", () => {
  it.each([
    ["0.10.0", "stuck"],
    ["1.35.0", "stuck"],
    ["1.36.0", "stuck"],
    ["1.36.1-rc.1", "outage"],
    ["1.36.1", "outage"],
    ["1.37.0", "outage"],
    ["1.43.99", "outage"],
    ["1.44.0-rc.1", "outage"],
    ["1.44.0", "canary-serves"],
    ["1.44.0+build", "canary-serves"],
    ["v1.45.0-arm64", "canary-serves"],
    ["2.0.0", "canary-serves"],
    ["main-0a1b2c3", "outage"],
    [undefined, "outage"],
  ] as const)("of %s is %s", (version, mode) => {
    expect(readFailureMode(version)).toBe(mode);
  });

  it("takes a suspension for unknown before 1.32", () => {
    expect([undefined, "1.31.0", "1.32.0", "latest"].map(knowsSuspend)).toEqual([true, false, true, true]);
  });
});
