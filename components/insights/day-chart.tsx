import { Table } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import Link from "next/link";
import { Counted } from "#components/insights/count-link.tsx";
import classes from "#components/insights/insights.module.css";
import { formatDay, outcomes, prepareDayChart } from "#components/insights/prepare-day-chart.ts";
import { Section } from "#components/ui/section.tsx";
import { type InsightScope, insightReleasesHref, linkReleases } from "#lib/client/insight-links.ts";
import type { ReleaseFigures, ReleaseInsights } from "#lib/contract/insight.ts";

const height = 140;
const margin = { left: 30, top: 8, bottom: 22 };
const whole = height + margin.top + margin.bottom;

type DayChartProps = { days: ReleaseInsights["days"]; figures: ReleaseFigures; scope: InsightScope };

/** Draws the releases of each day by outcome. The table below the chart has the same numbers, for every reader. */
export function DayChart({ days, figures, scope }: DayChartProps) {
  const { ref, width } = useElementSize();
  const inner = Math.max(0, width - margin.left);
  const { bars, lines, ticks } = prepareDayChart(days, scope, { width: inner, height });
  const links = linkReleases(figures, scope);
  return (
    <Section id="per-day" title="Releases per day" className={classes.panel} mb={4}>
      <ul className={classes.legend} aria-label="Releases by outcome">
        <li>
          <Counted link={links.releases}>{`${figures.releases.toLocaleString("en")} releases`}</Counted>
        </li>
        {outcomes
          .filter(({ key }) => figures[key] > 0)
          .map(({ key, word }) => (
            <li key={key}>
              <svg width="12" height="12" aria-hidden="true">
                <rect width="12" height="12" className={classes.bar} data-outcome={key} />
              </svg>
              <Counted link={links[key]} label="releases">
                {`${figures[key].toLocaleString("en")} ${word}`}
              </Counted>
            </li>
          ))}
      </ul>
      <Patterns />
      <div ref={ref} className={classes.plot} aria-hidden="true">
        {inner > 0 && (
          <svg width={width} height={whole} viewBox={`0 0 ${width} ${whole}`} role="presentation">
            <g transform={`translate(${margin.left} ${margin.top})`}>
              {lines.map(({ count, y }) => (
                <g key={count}>
                  <line x1={0} x2={inner} y1={y} y2={y} className={classes.line} />
                  <text x={-6} y={y + 4} textAnchor="end">
                    {count}
                  </text>
                </g>
              ))}
              {bars
                .filter(({ total }) => total > 0)
                .map(({ day, href, title, x, width: wide, parts }) => (
                  <Link key={day} href={href} prefetch={false} tabIndex={-1}>
                    <title>{title}</title>
                    <rect x={x} y={0} width={wide} height={height} fill="transparent" />
                    {parts.map((part) => (
                      <rect
                        key={part.outcome}
                        x={x}
                        y={part.y}
                        width={wide}
                        height={part.height}
                        className={classes.bar}
                        data-outcome={part.outcome}
                      />
                    ))}
                  </Link>
                ))}
              {ticks.map(({ x, text, anchor }) => (
                <text key={text} x={x} y={height + 16} textAnchor={anchor}>
                  {text}
                </text>
              ))}
            </g>
          </svg>
        )}
      </div>
      <details className={classes.details}>
        <summary>Show as table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
        <section className={classes.scroll} tabIndex={0} aria-label="Releases per day, as a table">
          <DayTable days={days} scope={scope} />
        </section>
      </details>
    </Section>
  );
}

/** Outcomes differ by pattern as well as by colour. */
function Patterns() {
  return (
    <svg width="0" height="0" aria-hidden="true" className={classes.defs}>
      <defs>
        <pattern id="gh-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" className={classes.ground} data-outcome="aborted" />
          <rect width="2.5" height="6" className={classes.ink} />
        </pattern>
        <pattern id="gh-dots" width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="5" height="5" className={classes.ground} data-outcome="superseded" />
          <circle cx="2.5" cy="2.5" r="1.2" className={classes.ink} />
        </pattern>
      </defs>
    </svg>
  );
}

function DayTable({ days, scope }: Pick<DayChartProps, "days" | "scope">) {
  const shown = days.filter((day) => outcomes.some(({ key }) => day[key] > 0));
  return (
    <Table className={classes.plain}>
      <Table.Caption className="visually-hidden">
        Releases per day by outcome; days without one are left out
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Day</Table.Th>
          {outcomes.map(({ key, word }) => (
            <Table.Th key={key} scope="col" ta="right">
              {word}
            </Table.Th>
          ))}
          <Table.Th scope="col" ta="right">
            all
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map((day) => {
          const count = outcomes.reduce((sum, { key }) => sum + day[key], 0);
          const href = insightReleasesHref({ ...scope, from: day.from, to: day.to });
          return (
            <Table.Tr key={day.day}>
              <Table.Th scope="row">{formatDay(day.day)}</Table.Th>
              {outcomes.map(({ key }) => (
                <Table.Td key={key} ta="right">
                  {day[key]}
                </Table.Td>
              ))}
              <Table.Td ta="right">
                <Counted link={{ count, href }} label={`releases on ${formatDay(day.day)}`} />
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
