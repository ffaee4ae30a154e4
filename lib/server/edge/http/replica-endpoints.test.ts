import { describe, expect, it } from "vitest";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { replicaEndpoints } from "./replica-endpoints.ts";

const table: Record<string, Omit<Endpoint, "status">> = endpoints;
const names = Object.keys(replicaEndpoints);

/** Names of endpoints that decide, that people base decisions on, that prove, or that concern access. */
const never =
  /act|approv|gate|hook|inbox|claim|snooze|acknowledge|audit|token|session|permission|access|admin|config|source|cluster|stream|me$|log|sandbox|notif|freeze|polic|storage/i;

describe("the endpoints that a replica may answer", () => {
  it("are these", () => {
    expect(names.toSorted()).toEqual([
      ...["backtestAnalysis", "exportExperiments", "exportReleases", "exportRollouts", "exportRun", "exportRuns"],
      ...["exportTemplates", "getAnalysisInsights", "getReleaseCourse", "getReleaseInsights", "getReleaseMoment"],
      ...["listAborts", "listAnnotations", "listEarlierSeries", "listExperiments", "listFindings", "listMeasurements"],
      ...["listReleases", "listRolloutReleases", "listRolloutRuns", "listRolloutTimeline", "listRollouts", "listRuns"],
      ...["listTemplateVersions", "listTemplates", "search"],
    ]);
  });

  it.each(names)("%s changes nothing, and everybody who reads may ask it", (name) => {
    const { method, role } = table[name] ?? {};
    expect([method, role]).toEqual([name === "backtestAnalysis" ? "POST" : "GET", "viewer"]);
    expect(name).not.toMatch(never);
  });

  it("leaves out everything that decides: the names above are not a list of all", () => {
    const others = Object.keys(endpoints).filter((name) => !names.includes(name));
    for (const name of ["getInbox", "getRollout", "listSources", "listAudit", "verifyAudit", "getMe", "stream"])
      expect(others).toContain(name);
  });
});
