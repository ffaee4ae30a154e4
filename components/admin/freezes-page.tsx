"use client";

import { Button, NativeSelect, Skeleton, Stack, Text, Title } from "@mantine/core";
import { parseAsString, useQueryStates } from "nuqs";
import { FreezeButton } from "#components/actions/freeze-button.tsx";
import classes from "#components/admin/admin.module.css";
import { AdminFrame } from "#components/admin/admin-frame.tsx";
import { BrokenList } from "#components/admin/broken-list.tsx";
import calendar from "#components/admin/calendar.module.css";
import { describeNow } from "#components/admin/describe-freeze.ts";
import { protectiveNote } from "#components/admin/describe-policy.ts";
import { FreezeCalendar } from "#components/admin/freeze-calendar.tsx";
import { addDays, isDay, mondayOf, wallClock, weekOf } from "#components/admin/prepare-week.ts";
import { IconCalendarOff } from "#components/ui/icons.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { useAdminFreezes } from "#lib/client/admin-queries.ts";
import { useFreezes } from "#lib/client/freeze-queries.ts";

/** Shows the freezes in words, and their times in a week on wide screens. Week and time zone are in the URL. */
export function FreezesPage() {
  const now = useNow();
  return (
    <AdminFrame title="Freeze calendar" aside={<FreezeButton />}>
      {now === 0 ? <Skeleton height={480} aria-hidden="true" /> : <Freezes now={now} />}
    </AdminFrame>
  );
}

function Freezes({ now }: { now: number }) {
  const [asked, setAsked] = useQueryStates(
    { week: parseAsString, zone: parseAsString },
    { history: "replace", clearOnDefault: true },
  );
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = asked.zone !== null && isTimeZone(asked.zone) ? asked.zone : own;
  const today = wallClock(now, zone).day;
  const monday = mondayOf(asked.week !== null && isDay(asked.week) ? asked.week : today);
  const week = weekOf(monday, zone);
  const range = { from: new Date(week.starts[0] ?? 0).toISOString(), to: new Date(week.ends).toISOString() };
  const { data, error, refetch } = useAdminFreezes(range);
  const made = useFreezes().data?.items;
  const go = (days: number) => () => void setAsked({ week: addDays(monday, days) });
  const zones = [...new Set([own, "UTC", ...(data?.freezes.map(({ timeZone }) => timeZone) ?? []), zone])];
  return (
    <QueryView
      what="The freezes"
      query={{ data, error, refetch }}
      skeleton={<Skeleton height={480} aria-hidden="true" />}
    >
      {(freezes) => (
        <Stack gap="lg">
          <Text className={classes.words}>
            <bdi>{describeNow(freezes.freezes, made, { now, zone })}</bdi>
          </Text>
          {freezes.freezes.length === 0 ? (
            <NothingHere
              icon={<IconCalendarOff size={40} stroke={1.2} />}
              title="No freezes in the config"
              hint="A freeze (policies.freezes) blocks what advances rollouts at regular times; a release window allows it only then."
            />
          ) : (
            <>
              <section aria-labelledby="week">
                <div className={calendar.controls}>
                  <Button size="xs" variant="default" onClick={go(-7)} aria-label="Week before">
                    ‹
                  </Button>
                  <Button size="xs" variant="default" onClick={() => void setAsked({ week: null })}>
                    This week
                  </Button>
                  <Button size="xs" variant="default" onClick={go(7)} aria-label="Week after">
                    ›
                  </Button>
                  <Title order={2} id="week" className={calendar.range} aria-live="polite">
                    {formatRange(monday)}
                  </Title>
                  <NativeSelect
                    size="xs"
                    ml="auto"
                    aria-label="Time zone"
                    value={zone}
                    data={zones}
                    onChange={(event) =>
                      void setAsked({ zone: event.currentTarget.value === own ? null : event.currentTarget.value })
                    }
                  />
                </div>
                <FreezeCalendar freezes={freezes} week={week} zone={zone} now={now} />
                <Text size="xs" c="dimmed" mt={6} className={classes.words}>
                  {protectiveNote}{" "}
                  {freezes.freezes.some(({ outside }) => outside) &&
                    "A dashed bar is an open release window: its actions are frozen while none of their windows is open. "}
                  Past times use the config in force then. Freezes that were removed since are not shown, nor are
                  one-off freezes: these are at the top of every page.
                </Text>
              </section>
              <BrokenList broken={freezes.broken} allBroken={freezes.allBroken} zone={zone} />
            </>
          )}
        </Stack>
      )}
    </QueryView>
  );
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

function formatRange(monday: string): string {
  return dayFormat.formatRange(new Date(`${monday}T00:00:00Z`), new Date(`${addDays(monday, 6)}T00:00:00Z`));
}
