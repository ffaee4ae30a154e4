import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { type StateShape, stateTokens } from "#components/ui/state-tokens.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";

type PointShapeProps = { x: number; y: number; phase: AnalysisPhase; isActive?: boolean; size?: number };

/** Draws a measurement's point. Phases differ by their outlines, without colour: a pass is a disc, a failure a cross. */
export function PointShape({ x, y, phase, isActive = false, size = 5 }: PointShapeProps) {
  return <PointCloud places={[{ x, y }]} phase={phase} size={isActive ? size * 1.5 : size} />;
}

type PointCloudProps = { places: readonly { x: number; y: number }[]; phase: AnalysisPhase; size: number };

/** Draws the points of many measurements of a phase as one element: a browser is slow with thousands. */
export function PointCloud({ places, phase, size }: PointCloudProps) {
  const { shape, hue } = stateTokens[classifyAnalysis(phase).state];
  const color = `var(--gh-${hue}-mark)`;
  const outline = places.map(({ x, y }) => outlineOf(shape, { x, y, size })).join("");
  return isSolid(shape) ? (
    // The halo below the fill: in a crowd it must not cut into other points.
    <path d={outline} fill={color} stroke="var(--gh-surface)" strokeWidth={1.5} paintOrder="stroke" />
  ) : (
    <path
      d={outline}
      fill="var(--gh-surface)"
      stroke={color}
      strokeWidth={2}
      strokeDasharray={shape === "dotted" ? "1.5 2" : undefined}
    />
  );
}

function isSolid(shape: StateShape): boolean {
  return shape === "circle" || shape === "octagon" || shape === "triangle" || shape === "diamond";
}

function outlineOf(shape: StateShape, { x, y, size }: { x: number; y: number; size: number }): string {
  switch (shape) {
    case "circle":
      return circle(x, y, size * 0.85);
    case "octagon":
      return cross(x, y, size * 1.1);
    case "triangle":
      return polygon(x, y + size * 0.2, size * 1.15, 3, -Math.PI / 2);
    case "diamond":
      return polygon(x, y, size * 1.15, 4, 0);
    default:
      return circle(x, y, size * 0.8);
  }
}

function circle(x: number, y: number, radius: number): string {
  const [left, middle, r] = [(x - radius).toFixed(1), y.toFixed(1), radius.toFixed(2)];
  const width = (radius * 2).toFixed(2);
  return `M${left} ${middle}a${r} ${r} 0 1 0 ${width} 0a${r} ${r} 0 1 0 -${width} 0Z`;
}

/** Two bars, crossed at 45 degrees. */
function cross(x: number, y: number, end: number): string {
  const notch = end * 0.5;
  const side = end - notch;
  const arm = [
    [notch, 0],
    [end, side],
    [side, end],
  ] as const;
  const quarters = [
    arm,
    arm.map(([dx, dy]) => [-dy, dx] as const),
    arm.map(([dx, dy]) => [-dx, -dy] as const),
    arm.map(([dx, dy]) => [dy, -dx] as const),
  ];
  return `M${quarters
    .flat()
    .map(([dx, dy]) => `${(x + dx).toFixed(2)} ${(y + dy).toFixed(2)}`)
    .join("L")}Z`;
}

function polygon(x: number, y: number, radius: number, corners: number, turn: number): string {
  const points = Array.from({ length: corners }, (_, index) => {
    const angle = turn + (index * 2 * Math.PI) / corners;
    return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
}
