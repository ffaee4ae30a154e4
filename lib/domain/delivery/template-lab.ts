/** A place in a text: both count from 1. */
export type TextPosition = { readonly line: number; readonly column: number };

export type TemplateProblem = {
  /** `warning`: the controller accepts it, but probably not with the intended effect. */
  readonly severity: "error" | "warning";
  readonly text: string;
  readonly from: TextPosition;
  /** After the last character. */
  readonly to: TextPosition;
};

/** A template as it was written; undefined spec if the text cannot be read as one. */
export type WrittenTemplate = {
  readonly kind: string;
  /** Empty if the text has none. */
  readonly name: string;
  readonly spec: unknown;
};

export type LintedTemplate = {
  /** At most 200, each with a text of at most 1000 characters. */
  readonly problems: readonly TemplateProblem[];
  readonly moreProblems: number;
  readonly template: WrittenTemplate | undefined;
};

/** A run that a rollout would create from its analysis: its rules, or the controller's reason for refusing. */
export type PreviewedRun = {
  /**
   * The places in the rollout that name the template, such as `step 3 and step 5`. Places that give the same run are
   * combined.
   */
  readonly where: string;
  readonly spec: unknown;
  readonly error: string | undefined;
  /** Labels and annotations that the rollout gives the run. */
  readonly metadata?: RunMetadata;
};

export type RunMetadata = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** At most 50 runs that differ, with specs of at most a million characters. */
export type Preview = {
  readonly runs: readonly PreviewedRun[];
  /** How many places beyond that may give other runs. */
  readonly more: number;
};

export type PreviewInput = {
  /** The rollout as stored. */
  readonly rollout: unknown;
  readonly edited: WrittenTemplate;
  /** The other templates that the rollout can use, as stored. */
  readonly templates: readonly { readonly kind: string; readonly name: string; readonly spec: unknown }[];
};

/**
 * The template lab's functions for one provider. Texts are untrusted input: none of them is called on a main thread.
 */
export type TemplateLabProvider = {
  /**
   * Finds the parts of a template that the controller would refuse, and probable mistakes. Without a version, parts
   * that only older controllers refuse are warnings. Never throws.
   */
  lintTemplate(source: string, controllerVersion?: string): LintedTemplate;
  /** Lists the runs that a rollout would create with an edited template. */
  previewRuns(input: PreviewInput): Preview;
};
