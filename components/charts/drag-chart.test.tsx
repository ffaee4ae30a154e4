// @vitest-environment jsdom
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { computePlot } from "#components/charts/plot.ts";
import { useChartGestures } from "#components/charts/use-chart-gestures.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();
const full = [0, 100_000] as const;
const plot = computePlot({ width: 600, timeDomain: full, valueDomain: [0, 1], labelLength: 0 });
const onZoom = vi.fn();

function Chart() {
  const { handlers } = useChartGestures({
    ...{ metric: "m", points: [], active: -1, plot, zoom: undefined, full, onZoom },
    hrefOf: () => undefined,
  });
  return <div id="chart" {...handlers} />;
}

it("zooms by a drag that a busy browser has not drawn when the button is released", async () => {
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <Chart />
    </AppRouterContext>,
  );
  const chart = document.querySelector("#chart");
  if (chart === null) throw new Error("no chart");
  Object.assign(chart, { setPointerCapture: () => undefined });
  const send = (type: string, clientX: number) =>
    chart.dispatchEvent(new MouseEvent(type, { bubbles: true, button: 0, clientX, movementX: 1 }));
  const [from, to] = [plot.x(20_000), plot.x(60_000)];
  // Within one act nothing is drawn between the events.
  await act(async () => {
    send("pointerdown", from);
    send("pointermove", to);
    send("pointerup", to);
  });
  expect(onZoom).toHaveBeenCalledExactlyOnceWith([expect.closeTo(20_000), expect.closeTo(60_000)]);
});
