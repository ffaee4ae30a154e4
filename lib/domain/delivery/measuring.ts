import type { BacktestingProvider } from "#lib/domain/delivery/backtest.ts";
import type { ExplainingProvider } from "#lib/domain/delivery/explaining.ts";
import type { TemplateLabProvider } from "#lib/domain/delivery/template-lab.ts";
import type { RecordedRun, VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import type { FieldHolder } from "#lib/domain/kube/find-field-holders.ts";
import type { ObjectMeta, OwnerReference, Parsed } from "#lib/domain/kube/kube-object.ts";
import type { SeenTermination, TerminationVerdict } from "#lib/domain/oversight/provider-reports.ts";

/** The measuring part of a provider: runs, Experiments, and the templates that runs are made from. */
export type MeasuringProvider = {
  /** The kinds of object that it parses; no other provider has them. */
  kinds: readonly string[];
  parseRun(object: unknown): Parsed<MeasuredRun>;
  parseExperiment(object: unknown): Parsed<MeasuredExperiment>;
  parseTemplate(object: unknown): Parsed<RunTemplate>;
  /** Reads the text of a measurement's value, whose format is that of the metric's source. Never throws. */
  parseValue(text: string | undefined): MeasuredValue;
  /** Judges who ended a run or an Experiment. */
  judgeTermination(seenObject: SeenTermination): TerminationVerdict;
  /** Reads the rules of a run as stored into a form of its own; undefined if they cannot be read. */
  readRules(stored: unknown): unknown;
  /**
   * Checks whether the recorded rules on the recorded measurements give the recorded verdict. Accepts only its own
   * rules.
   */
  checkVerdict(run: RecordedRun): VerdictCheck;
  /** Finds the metrics that cannot fail, whatever their values, with the reason. Accepts only its own rules. */
  findHarmless?(rules: unknown): { metric: string; why: string }[];
  explaining: ExplainingProvider;
  /** Undefined if its runs cannot be replayed under other rules. */
  backtesting?: BacktestingProvider;
  /** Undefined if its templates cannot be edited here. */
  templateLab?: TemplateLabProvider;
};

/** Fields common to a run and an Experiment. Times as received, RFC 3339 if they are valid. */
type Measured = {
  uid: string;
  name: string;
  /** Empty if it has none. */
  namespace: string;
  /** Its controller; undefined if it has no owner. Its uid is empty if only a label names it. */
  owner: OwnerReference | undefined;
  /** Revision of the rollout, if given. */
  revision: number | undefined;
  podHash: string | undefined;
  /** `Pending` until its controller has written one. */
  phase: string;
  /** The controller's own message; may quote secrets. */
  message: string;
  createdAt: string | undefined;
  /** It was told to end before its rules ended it. */
  isTerminated: boolean;
  /**
   * Reads who told it to end, with one name for the controller; undefined if the controller did. Takes the field
   * managers that the config declares to be the controller.
   */
  findEnders(controllerManagers: readonly string[]): FieldHolder[] | undefined;
};

/**
 * The origin of a run. `Manual` if neither a rollout nor an Experiment owns it; `Release` if the controller checks a
 * release by itself.
 */
export type RunType = "Step" | "Background" | "PrePromotion" | "PostPromotion" | "Experiment" | "Manual" | "Release";

/**
 * Not every version of a run is stored: fields that traverse the object are functions. Getters would cost more than
 * the parsing.
 */
export type MeasuredRun = Measured & {
  type: RunType;
  /** Counted from 0. */
  stepIndex: number | undefined;
  startedAt: string | undefined;
  /** Returns undefined until it has ended. */
  readCompletedAt(): string | undefined;
  /** As received and not redacted; `readRules` takes them after redaction. */
  rules: unknown;
  /** One per metric that was begun, in the controller's order. */
  results: readonly MetricResult[];
  /** Lists the metrics of its rules, measured or not, then those that only the results name. */
  listMetrics(): MeasuredMetric[];
  /** How many metrics ended in which way, by phase; undefined until the controller has counted. */
  summary: unknown;
  /** The same for the metrics that are dry runs. */
  dryRunSummary: unknown;
};

export type MeasuredMetric = {
  name: string;
  /** The source of its values, such as `prometheus`. */
  metricProvider: string | undefined;
  /** The query as the controller resolved it; may contain secrets. */
  query: string | undefined;
  /** The controller's notes on the metric, its query included; may contain secrets. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Undefined until it was begun. */
  result: MetricResult | undefined;
};

/** The measurements of one metric. Counters outlive the list: `count` excludes errors, old measurements are trimmed. */
export type MetricResult = {
  name: string;
  phase: string;
  message: string;
  measurements: readonly Measurement[];
  count: number;
  successful: number;
  failed: number;
  inconclusive: number;
  error: number;
  consecutiveError: number;
  consecutiveSuccess: number;
  dryRun: boolean | undefined;
};

/** Without `finishedAt`, or with an empty one, it is in flight. */
export type Measurement = {
  phase: string;
  message: string;
  value: string | undefined;
  startedAt: string | undefined;
  finishedAt: string | undefined;
  /** The notes of the metric's source on the value, often the reason; may contain secrets. */
  metadata?: Readonly<Record<string, string>> | undefined;
};

/** `number`: the value itself, or the first of a list; absent if a double cannot represent it. */
export type MeasuredValue = {
  readonly kind: "number" | "nan" | "+inf" | "-inf" | "array" | "object" | "string" | "empty" | "unparsable";
  readonly number?: number;
};

export type MeasuredExperiment = Measured & {
  availableAt: string | undefined;
  /** Undefined until it has ended, or if the end is not recorded. */
  completedAt: string | undefined;
  describe(): DescribedExperiment;
};

/** The fields of an Experiment that a page shows. */
export type DescribedExperiment = {
  /** As in the spec, such as `10m`; undefined if it runs until its analyses end. */
  duration: string | undefined;
  progressDeadlineSeconds: number | undefined;
  templates: {
    name: string;
    /** The controller's word; empty at first. */
    status: string;
    message: string;
    desired: number;
    replicas: number;
    ready: number;
    available: number;
    /** Of its containers, in their order. */
    images: string[];
    /** Name of its ReplicaSet. */
    replicaSet: string;
  }[];
  analyses: {
    name: string;
    template: { kind: "AnalysisTemplate" | "ClusterAnalysisTemplate"; name: string };
    /** It must succeed before the Experiment is complete. */
    required: boolean;
    /** Empty until it was begun. */
    phase: string;
    message: string;
    /** Name of its run; undefined at first. */
    run: string | undefined;
    /** The one template whose pods it measures, according to its arguments; undefined if that is not certain. */
    measures: string | undefined;
  }[];
};

export type RunTemplate = {
  metadata: ObjectMeta;
  /** As received. */
  spec: object;
  /** Lists the templates that it names, each as `kind/name`. */
  listTemplateRefs(): string[];
};
