import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { stateTokens } from "#components/ui/state-tokens.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";

type PointShapeProps = { x: number; y: number; phase: AnalysisPhase; isActive?: boolean; size?: number };

/** Draws a measurement's point: the outline of its phase's icon, so that phases differ without colour. */
export function PointShape({ x, y, phase, isActive = false, size = 5 }: PointShapeProps) {
  const { shape, hue } = stateTokens[classifyAnalysis(phase).state];
  const radius = isActive ? size * 1.5 : size;
  const color = `var(--gh-${hue}-mark)`;
  const solid = { fill: color, stroke: "var(--gh-surface)", strokeWidth: 1 };
  const hollow = { fill: "var(--gh-surface)", stroke: color, strokeWidth: 2 };
  switch (shape) {
    case "circle":
      return <circle cx={x} cy={y} r={radius * 0.85} {...solid} />;
    case "octagon":
      return <path d={polygon(x, y, radius, 8, Math.PI / 8)} {...solid} />;
    case "triangle":
      return <path d={polygon(x, y + radius * 0.2, radius * 1.15, 3, -Math.PI / 2)} {...solid} />;
    case "diamond":
      return <path d={polygon(x, y, radius * 1.15, 4, 0)} {...solid} />;
    default:
      return (
        <circle cx={x} cy={y} r={radius * 0.8} {...hollow} strokeDasharray={shape === "dotted" ? "1.5 2" : undefined} />
      );
  }
}

function polygon(x: number, y: number, radius: number, corners: number, turn: number): string {
  const points = Array.from({ length: corners }, (_, index) => {
    const angle = turn + (index * 2 * Math.PI) / corners;
    return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
}
