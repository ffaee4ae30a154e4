/** Text on its own tint, the tint, and the solid mark of charts and bars. Text on tint and on surface is >= 4.5:1. */
type HueParts = { text: string; tint: string; mark: string };

export const stateHues = {
  green: {
    light: { text: "#1a6632", tint: "#e4f4e8", mark: "#2b8a3e" },
    dark: { text: "#7ddb96", tint: "#12301d", mark: "#4cc26f" },
  },
  red: {
    light: { text: "#ac1f1d", tint: "#fdebea", mark: "#d12d2a" },
    dark: { text: "#ff9f99", tint: "#3d1614", mark: "#ff6b64" },
  },
  orange: {
    light: { text: "#983f00", tint: "#ffefe1", mark: "#d9580d" },
    dark: { text: "#ffb070", tint: "#3c2109", mark: "#f58a3c" },
  },
  violet: {
    light: { text: "#6428b0", tint: "#f1e9fc", mark: "#7c3aed" },
    dark: { text: "#cbaaff", tint: "#2c1d47", mark: "#a77bff" },
  },
  blue: {
    light: { text: "#1353a0", tint: "#e6effb", mark: "#1f6fd1" },
    dark: { text: "#8ec1ff", tint: "#122a47", mark: "#5aa2f7" },
  },
  amber: {
    light: { text: "#774e00", tint: "#fcf1d3", mark: "#a86f00" },
    dark: { text: "#f5cd6d", tint: "#362a08", mark: "#e5b23a" },
  },
  slate: {
    light: { text: "#415265", tint: "#e9edf2", mark: "#5c7189" },
    dark: { text: "#b3c1d1", tint: "#232d38", mark: "#8fa3b8" },
  },
  grey: {
    light: { text: "#555b62", tint: "#eeeff1", mark: "#767d86" },
    dark: { text: "#b0b7bf", tint: "#262a2f", mark: "#8b939c" },
  },
} as const satisfies Record<string, { light: HueParts; dark: HueParts }>;

export type StateHue = keyof typeof stateHues;

export type StateKey = "successful" | "failed" | "error" | "inconclusive" | "running" | "waiting" | "timed" | "unknown";

type StateToken = { word: string; hue: StateHue; shape: StateShape };
export type StateShape = "circle" | "octagon" | "triangle" | "diamond" | "ring" | "hand" | "hourglass" | "dotted";

/** The only table of states: word, hue and shape, the same in lists, charts, timeline and audit. */
export const stateTokens: Record<StateKey, StateToken> = {
  successful: { word: "Successful", hue: "green", shape: "circle" },
  failed: { word: "Failed", hue: "red", shape: "octagon" },
  error: { word: "Error", hue: "orange", shape: "triangle" },
  inconclusive: { word: "Inconclusive", hue: "violet", shape: "diamond" },
  running: { word: "Running", hue: "blue", shape: "ring" },
  waiting: { word: "Waiting", hue: "amber", shape: "hand" },
  timed: { word: "Paused", hue: "slate", shape: "hourglass" },
  unknown: { word: "Unknown", hue: "grey", shape: "dotted" },
};
