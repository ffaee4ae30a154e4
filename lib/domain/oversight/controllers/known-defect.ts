import { type ControllerFacts, defectsOf, versionOf } from "#lib/domain/controllers/facts.ts";
import type { Found, Rule } from "#lib/domain/oversight/rule.ts";
import { controllerEvidence } from "./controller-evidence.ts";

/** Finds a controller whose version is known to do something wrong. */
export const knownDefect: Rule<ControllerFacts> = {
  id: "controller-known-defect",
  about: "controller",
  severity: "warning",
  name: "Controller version with a known defect",
  explanation:
    "Some controller versions have defects that decide about releases. Gatehouse has a list of them, each with its source. Unknown versions are not judged.",
  advice: "Upgrade the controller, or act as the finding says.",
  find(facts): Found[] {
    return defectsOf(facts).map(({ id, severity, title, advice, source }) => ({
      // A later version with the same defect is another finding: the upgrade was not enough.
      key: `${id} ${versionOf(facts)}`,
      severity,
      title,
      advice,
      since: facts.scrape?.startedAt ?? facts.scrape?.upSince ?? facts.now,
      evidence: [controllerEvidence(facts), { label: "Source", value: source }],
    }));
  },
};
