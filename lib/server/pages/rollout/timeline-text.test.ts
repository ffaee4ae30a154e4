import { expect, it } from "vitest";
import { formatTimelineText, nameAct, readTimelineAct, type TimelineAct } from "./timeline-text.ts";

const asked = { action: "accept-step", state: "applied", reason: "looks good", message: "" };
const entry = JSON.stringify({
  seq: 1,
  time: "2026-11-20T10:00:00.000000Z",
  actor: { type: "unknown", name: "kubectl-patch" },
  source: "cluster",
  code: "cluster.skip-step",
  action: "skip-step",
  outcome: "applied",
  detail: { client: "kubectl-patch", skipped: { first: 4, last: 5 } },
  requestId: "r",
});

const attribution = JSON.stringify({
  ...JSON.parse(entry),
  seq: 2,
  actor: { type: "kubernetes-user", name: "system:serviceaccount:ci:deployer" },
  code: "cluster.attributed",
  detail: {
    explains: 1,
    person: {
      ...{ found: true, type: "service-account", name: "ci/deployer", program: "kubectl", userAgent: "kubectl/v1" },
      evidence: "version",
    },
  },
});

it.each<{ name: string; text: string; act: TimelineAct | null; said: string }>([
  { name: "what was observed", text: "Step 1 of 5 completed", act: null, said: "Step 1 of 5 completed" },
  { name: "what Gatehouse wrote", text: "Resumed (via gatehouse)", act: null, said: "Resumed through Gatehouse" },
  { name: "what another client wrote", text: "Resumed (via kubectl)", act: null, said: "Resumed (via kubectl)" },
  {
    name: "a canary that was new",
    text: "First seen: Progressing: Flagger is creating the primary.",
    act: null,
    said: "First seen while Flagger was creating the primary",
  },
  {
    name: "an action with its reason",
    text: "Oncall",
    act: asked,
    said: "Oncall asked to accept the step's result and continue it: “looks good”",
  },
  {
    name: "an action with an observed effect",
    text: "Oncall",
    act: { ...asked, action: "continue", state: "effective", message: "The rollout continues at step 5 of 6." },
    said: "Oncall continued it: “looks good”. The rollout continues at step 5 of 6.",
  },
  {
    name: "an action whose words end after the rollout",
    text: "Oncall",
    act: { ...asked, action: "undo", state: "effective", reason: null },
    said: "Oncall rolled it back",
  },
  {
    name: "an action without a reason that had no effect",
    text: "Oncall",
    act: { ...asked, action: "abort", reason: null, message: "The controller did nothing." },
    said: "Oncall asked to abort it. The controller did nothing.",
  },
  {
    name: "a refusal",
    text: "Oncall",
    act: { ...asked, action: "skip-step", state: "refused", message: "No rights." },
    said: "Oncall was not allowed to skip a step of it: No rights.",
  },
  {
    name: "what was done without Gatehouse",
    text: "kubectl-patch, outside Gatehouse: skip-step",
    act: { entry },
    said: "kubectl-patch, outside Gatehouse, skipped steps 4 and 5 of it",
  },
  {
    name: "what somebody did whom a later entry names",
    text: "kubectl-patch, outside Gatehouse: skip-step",
    act: { entry, attribution },
    said: "service account ci/deployer, with kubectl, skipped steps 4 and 5 of it",
  },
  {
    name: "a later entry that cannot be read",
    text: "kubectl-patch, outside Gatehouse: skip-step",
    act: { entry, attribution: "?" },
    said: "kubectl-patch, outside Gatehouse, skipped steps 4 and 5 of it",
  },
  {
    name: "an entry that cannot be read",
    text: "kubectl-patch, outside Gatehouse: skip-step",
    act: { entry: "?" },
    said: "kubectl-patch, outside Gatehouse: skip-step",
  },
  {
    name: "an entry that cannot be read, of a known action",
    text: "kubectl-patch, outside Gatehouse: skip-step",
    act: { entry: null, action: "skip-step", client: "kubectl-patch" },
    said: "kubectl-patch, outside Gatehouse: skip a step of it",
  },
])("$name", ({ text, act, said }) => {
  expect(formatTimelineText({ text, act })).toBe(said);
});

it.each<{ act: TimelineAct | null; facts: object }>([
  { act: null, facts: { reason: null, isRefused: false } },
  { act: asked, facts: { reason: "looks good", isRefused: false } },
  { act: { ...asked, reason: "" }, facts: { reason: null, isRefused: false } },
  { act: { ...asked, state: "refused", reason: null }, facts: { reason: null, isRefused: true } },
  { act: { entry }, facts: { reason: null, isRefused: false } },
])("$facts", ({ act, facts }) => {
  expect(readTimelineAct(act)).toEqual(facts);
});

it.each<{ name: string; act: TimelineAct | null; did: string | null }>([
  { name: "an action without an effect yet", act: { ...asked, action: "pause" }, did: "asked to pause it" },
  { name: "an action with its effect", act: { ...asked, action: "abort", state: "effective" }, did: "aborted it" },
  { name: "an act outside Gatehouse", act: { entry: null, action: "abort", client: "kubectl" }, did: "aborted it" },
  { name: "an approval", act: { entry }, did: null },
  { name: "what was observed", act: null, did: null },
])("names $name", ({ act, did }) => {
  expect(nameAct(act)).toBe(did);
});

it.each([
  { text: "Step analysis app-1-2 begins", step: 2, said: "Analysis of step 3 started" },
  { text: "Step analysis app-1-2 is Inconclusive", step: 2, said: "Analysis of step 3 ended Inconclusive" },
  { text: "Step analysis app-1-2 begins and is Failed", step: 0, said: "Analysis of step 1 started and ended Failed" },
  { text: "Step analysis app-1-2 is Failed", step: null, said: "Step analysis ended Failed" },
  { text: "Background analysis app-1-2 begins", step: null, said: "Background analysis started" },
  { text: "Step analysis other is Failed", step: 2, said: "Step analysis other is Failed" },
  { text: "Step analysis app-1-2 jumps", step: 2, said: "Step analysis app-1-2 jumps" },
])("words an analysis: $said", ({ text, step, said }) => {
  expect(formatTimelineText({ text, act: null, run: { name: "app-1-2", step } })).toBe(said);
});
