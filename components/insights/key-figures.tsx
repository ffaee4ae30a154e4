import { Text } from "@mantine/core";
import { Sparkline } from "#components/charts/sparkline.tsx";
import { Counted } from "#components/insights/count-link.tsx";
import {
  formatBefore,
  formatFrequency,
  formatInterval,
  formatLength,
  formatShare,
} from "#components/insights/format-figures.ts";
import classes from "#components/insights/insights.module.css";
import { type InsightScope, linkReleases } from "#lib/client/insight-links.ts";
import type { Rate, ReleaseFigures, ReleaseInsights } from "#lib/contract/insight.ts";
import { formatCountOf } from "#lib/util/words.ts";

/**
 * Returns the full promotions of each day, for a sparkline: a day without releases is a zero. Empty if nothing was
 * promoted, or if two days would be too few.
 */
export function preparePromotions(days: ReleaseInsights["days"]): number[] {
  const promotions = days.map(({ promoted }) => promoted);
  return promotions.length < 3 || promotions.every((count) => count === 0) ? [] : promotions;
}

type Links = ReturnType<typeof linkReleases>;

/** The figures on top: each with the numbers behind it, which lead to their rows, and with the period before. */
export function KeyFigures({ insights, scope }: { insights: ReleaseInsights; scope: InsightScope }) {
  const { figures, before } = insights;
  const links = linkReleases(figures, scope);
  const was = (read: (figures: ReleaseFigures) => string): string | undefined =>
    before === null ? undefined : formatBefore(read(figures), read(before));
  const frequency = ({ perDay }: ReleaseFigures) => Object.values(formatFrequency(perDay)).join(" ").trim();
  const { leadTime, recovery, waiting, changeFailure } = figures;
  return (
    <dl className={classes.keys}>
      <Figure label="Change failure rate" value={formatShare(changeFailure.rate)} before={was(ofRate("changeFailure"))}>
        <Counted link={links.failed} label="failed releases" /> of{" "}
        <Counted link={links.decided} label="ended releases" />
        {": "}
        <Counted link={links.aborted} label="releases">
          {`${figures.aborted} aborted`}
        </Counted>
        {", "}
        <Counted link={links.undone} label="releases">
          {`${figures.undone} undone`}
        </Counted>
        <Few rate={changeFailure} />
      </Figure>
      <Figure
        label="Deployment frequency"
        value={formatFrequency(figures.perDay).value}
        unit={formatFrequency(figures.perDay).unit}
        before={was(frequency)}
        trend={preparePromotions(insights.days)}
        trendLabel="Promotions, by day"
      >
        <Counted link={links.promoted}>{formatCountOf(figures.promoted, "promotion")}</Counted>
        {figures.perDay === null && ", but less than a day was recorded"}
      </Figure>
      <Figure
        label="Time to recover"
        hint="median, until the next promotion"
        value={formatLength(recovery.median)}
        before={was(({ recovery: { median } }) => formatLength(median))}
      >
        {recovery.count === 0 ? (
          "no failed release recovered yet"
        ) : (
          <Spread p90={recovery.p90} count={recovery.count} />
        )}
        {recovery.count > 0 && <Rows link={links.recovered} noun="failed release" />}
        {recovery.open > 0 && (
          <>
            {", "}
            <Counted link={links.unrecovered}>{`${recovery.open} not recovered`}</Counted>
          </>
        )}
      </Figure>
      <Figure
        label="Lead time"
        hint="median"
        value={formatLength(leadTime.median)}
        before={was(({ leadTime: { median } }) => formatLength(median))}
      >
        {leadTime.count === 0 ? (
          <Counted link={links.uncommitted}>not measured: no commit time on releases</Counted>
        ) : (
          <>
            <Spread p90={leadTime.p90} count={leadTime.count} />
            <Rows link={links.committed} noun="release" />
            {leadTime.unknown > 0 && (
              <>
                {", "}
                <Counted
                  link={links.uncommitted}
                  label="releases"
                >{`${leadTime.unknown} without a commit time`}</Counted>
              </>
            )}
          </>
        )}
      </Figure>
      <Figure
        label="Waiting for people"
        hint="median"
        value={waiting.count === 0 && waiting.unknown < waiting.ended ? "none" : formatLength(waiting.median)}
        before={was(({ waiting: { median } }) => formatLength(median))}
      >
        {waiting.count > 0 && <Spread p90={waiting.p90} count={waiting.count} />}
        {waiting.count > 0 && <Rows link={links.waited} noun="release" />}
        {" of "}
        <Counted link={links.ended} label="releases">{`${waiting.ended} ended`}</Counted>
        {waiting.count > 0 && ` · ${formatLength(waiting.totalSeconds)} in total${describeFrozen(waiting)}`}
        {waiting.unknown > 0 && (
          <>
            {" · "}
            <Counted link={links.waitUnknown} label="releases">{`${waiting.unknown} not known`}</Counted>
          </>
        )}
      </Figure>
      <Figure label="Inconclusive" value={formatShare(figures.inconclusive.rate)} before={was(ofRate("inconclusive"))}>
        <Counted link={links.inconclusive} label="releases with an Inconclusive analysis" /> of{" "}
        <Counted link={links.decided} label="ended releases" />
        <Few rate={figures.inconclusive} />
      </Figure>
    </dl>
  );
}

function ofRate(name: "changeFailure" | "inconclusive") {
  return ({ [name]: { rate, count, of } }: ReleaseFigures): string =>
    of === 0 ? "unknown" : `${formatShare(rate)} (${count} of ${of})`;
}

function describeFrozen({ totalSeconds, frozenSeconds }: ReleaseFigures["waiting"]): string {
  return frozenSeconds === 0 ? "" : `, ${formatShare(frozenSeconds / totalSeconds)} during a freeze`;
}

type FigureProps = {
  label: string;
  /** What the value is, if the label does not say. */
  hint?: string;
  value: string;
  unit?: string;
  /** Undefined without a period to compare with. */
  before: string | undefined;
  /** A value for each day, oldest first. */
  trend?: readonly number[];
  trendLabel?: string;
  children: React.ReactNode;
};

function Figure({ label, hint, value, unit, before, trend = [], trendLabel = label, children }: FigureProps) {
  return (
    <div className={classes.key}>
      <dt className={classes.label}>
        {label}
        {hint !== undefined && <span className={classes.hint}>, {hint}</span>}
      </dt>
      <dd className={classes.value} data-unknown={value === "unknown" || undefined}>
        {value}
        {unit !== undefined && unit !== "" && <span className={classes.unit}> {unit}</span>}
      </dd>
      {trend.length > 0 && (
        <dd className={classes.trend}>
          <Sparkline values={trend} lastPhase={null} label={trendLabel} />
        </dd>
      )}
      <dd className={classes.detail}>{children}</dd>
      {before !== undefined && <dd className={classes.before}>{before}</dd>}
    </div>
  );
}

function Spread({ p90, count }: { p90: number | null; count: number }) {
  return count > 1 ? <>p90 {formatLength(p90)} · </> : null;
}

function Rows({ link, noun }: { link: Links[keyof Links]; noun: string }) {
  return <Counted link={link}>{formatCountOf(link.count, noun)}</Counted>;
}

function Few({ rate }: { rate: Rate }) {
  const interval = formatInterval(rate);
  return interval === undefined ? null : (
    <Text span display="block" inherit>
      {interval}
    </Text>
  );
}
