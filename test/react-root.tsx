import { MantineProvider } from "@mantine/core";
import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, vi } from "vitest";

/** Prepares jsdom for components of Mantine before each test. Removes after it what was rendered. */
export function setUpReactRoot(): { render(node: ReactNode): Promise<void> } {
  let root: Root;
  beforeEach(() => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    vi.stubGlobal(
      "ResizeObserver",
      class {
        observe() {}
        unobserve() {}
        disconnect() {}
      },
    );
    vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
    // jsdom has none; a field that grows with its text listens to it.
    Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
    root = createRoot(document.body.appendChild(document.createElement("div")));
  });
  afterEach(() => {
    act(() => root.unmount());
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  });
  return { render: (node) => act(async () => root.render(<MantineProvider env="test">{node}</MantineProvider>)) };
}
