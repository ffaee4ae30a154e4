import type { ShownState } from "#components/ui/classify-state.ts";
import classes from "#components/ui/state-badge.module.css";
import { type StateKey, type StateShape, stateTokens } from "#components/ui/state-tokens.ts";

type StateBadgeProps = {
  shown: ShownState;
  /** `plain` has no background, for dense rows and running text. */
  variant?: "tinted" | "plain";
  size?: "sm" | "md";
};

/** Shows a state as icon, word and colour, the same everywhere. */
export function StateBadge({ shown, variant = "tinted", size = "md" }: StateBadgeProps) {
  return (
    <span className={classes.badge} data-hue={stateTokens[shown.state].hue} data-variant={variant} data-size={size}>
      <StateIcon state={shown.state} size={size === "sm" ? 14 : 16} />
      <span>{shown.word}</span>
    </span>
  );
}

const outline = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.6,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

/** Drawn here instead of taken from the icon set, because the charts use the outlines as point shapes. */
const drawings: Record<StateShape, React.ReactNode> = {
  circle: (
    <>
      <circle cx="8" cy="8" r="6.4" {...outline} />
      <path d="M5.2 8.2 7.2 10.2 10.9 6.2" {...outline} />
    </>
  ),
  octagon: (
    <>
      <path d="M5.4 1.6h5.2l3.8 3.8v5.2l-3.8 3.8H5.4l-3.8-3.8V5.4z" {...outline} />
      <path d="M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2" {...outline} />
    </>
  ),
  triangle: (
    <>
      <path d="M8 1.9 14.7 13.8H1.3z" {...outline} />
      <path d="M8.6 5.6 6.9 9.1h2.3L7.5 12.1" {...outline} strokeWidth={1.3} />
    </>
  ),
  diamond: (
    <>
      <path d="M8 .9 15.1 8 8 15.1.9 8z" {...outline} />
      <path d="M6.5 6.6c0-.9.6-1.5 1.5-1.5s1.5.6 1.5 1.4c0 1.1-1.5 1.2-1.5 2.4" {...outline} strokeWidth={1.4} />
      <circle cx="8" cy="11" r=".9" fill="currentColor" />
    </>
  ),
  ring: <circle cx="8" cy="8" r="6.2" {...outline} strokeWidth={2} strokeDasharray="27 12" className={classes.ring} />,
  hand: (
    <path
      d="M4.4 9V4.3a.95.95 0 0 1 1.9 0v2.9m0-.5V2.6a.95.95 0 0 1 1.9 0v4.3m0-.2V3a.95.95 0 0 1 1.9 0v4.5m0-2.1a.95.95 0 0 1 1.9 0v4.1c0 2.900-1.700 5-4.300 5-2.100 0-3.100-.9-4-2.500L1.800 9.400c-.6-1.100.9-2.100 1.700-1.200L4.400 9.300"
      {...outline}
      strokeWidth={1.3}
    />
  ),
  hourglass: (
    <>
      <path
        d="M4 1.600h8M4 14.400h8M4.900 1.600v2.500L8 8l3.100-3.900V1.600M4.900 14.400v-2.500L8 8l3.100 3.900v2.500"
        {...outline}
      />
      <path d="M6.500 13h3" {...outline} />
    </>
  ),
  dotted: <circle cx="8" cy="8" r="6.2" {...outline} strokeWidth={1.9} strokeDasharray="0.100 3.800" />,
};

type StateIconProps = { state: StateKey; size?: number };

/** Renders the state's icon without its word; the caller puts the word next to it. */
export function StateIcon({ state, size = 16 }: StateIconProps) {
  const { shape, hue } = stateTokens[state];
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" className={classes.icon} data-hue={hue}>
      {drawings[shape]}
    </svg>
  );
}
