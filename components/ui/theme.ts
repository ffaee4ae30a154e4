import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { stateHues } from "#components/ui/state-tokens.ts";

/** The only accent colour. Every other colour carries state and is in state-tokens.ts. */
const petrol: MantineColorsTuple = [
  "#e7f5f7",
  "#cfe7eb",
  "#a1d0d8",
  "#70b9c5",
  "#4fabb9",
  "#2c95a6",
  "#1a7f90",
  "#0e6370",
  "#0b515c",
  "#063b44",
];

/** Neutral colours of the dark scheme, from text to the deepest background. */
const dark: MantineColorsTuple = [
  "#dbe1e6",
  "#b9c2ca",
  "#98a4ae",
  "#6b7782",
  "#38434d",
  "#28323b",
  "#182027",
  "#11181d",
  "#0c1216",
  "#070b0e",
];

// Shipped with the product, so that every machine shows the same page; global.css describes the fallback.
const textFont = '"Inter Variable", "Inter Fallback", sans-serif';
const monospaceFont = '"JetBrains Mono Variable", "Liberation Mono", Menlo, Consolas, monospace';

export const theme = createTheme({
  primaryColor: "petrol",
  primaryShade: { light: 7, dark: 6 },
  colors: { petrol, dark },
  black: "#141a1f",
  fontFamily: textFont,
  fontFamilyMonospace: monospaceFont,
  respectReducedMotion: true,
  defaultRadius: "sm",
  cursorType: "pointer",
  // A sentence is 13/20, a value 15/20, the value of a page with one subject 22/28; a hint is 12, a label 11.
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.8125rem", lg: "0.9375rem", xl: "1.375rem" },
  lineHeights: { xs: "1.4", sm: "1.54", md: "1.54", lg: "1.334", xl: "1.273" },
  spacing: { xs: "0.375rem", sm: "0.625rem", md: "0.875rem", lg: "1.25rem", xl: "1.75rem" },
  headings: {
    fontFamily: textFont,
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.273" },
      h2: { fontSize: "0.9375rem", lineHeight: "1.334" },
      h3: { fontSize: "0.8125rem", lineHeight: "1.54" },
    },
  },
  // Below `md` the rail becomes a bottom bar; below `lg` two columns become one.
  breakpoints: { xs: "30em", sm: "40em", md: "56.25em", lg: "68.75em", xl: "90em" },
  components: {
    // The scroll lock writes a style element without the page's nonce; global.css keeps scrolling inside instead.
    Modal: { defaultProps: { lockScroll: false, transitionProps: { duration: 120 } } },
    // A header outside of the page's main part would be a second banner.
    ModalHeader: { defaultProps: { role: "presentation" } },
    Drawer: { defaultProps: { lockScroll: false } },
    Tooltip: {
      defaultProps: {
        multiline: true,
        maw: 340,
        withArrow: true,
        openDelay: 150,
        events: { hover: true, focus: true, touch: true },
      },
    },
    Paper: { defaultProps: { radius: "md" } },
    Anchor: { defaultProps: { underline: "always" } },
    // Relative, so that hidden words in a table do not widen the page. Without the library's own scroll bars.
    TableScrollContainer: { defaultProps: { type: "native", pos: "relative" } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 10 } },
  },
});

/** Returns CSS variables for the tokens of state-tokens.ts, and for neutrals whose contrast is too low in Mantine. */
export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--gh-page": "#f5f6f7",
    "--mantine-color-red-outline": stateHues.red.light.text,
    "--mantine-color-orange-outline": stateHues.orange.light.text,
    "--mantine-color-yellow-outline": stateHues.amber.light.text,
    "--mantine-color-gray-outline": "#545f69",
    "--mantine-color-dimmed": "#545f69",
    "--mantine-color-placeholder": "#636d76",
    "--mantine-color-error": "#b3211f",
    "--gh-surface": "#ffffff",
    "--gh-surface-raised": "#ffffff",
    "--gh-surface-sunken": "#eef0f2",
    "--gh-border": "#d9dee3",
    "--gh-border-strong": "#b4bdc6",
    "--gh-row-hover": "#f0f4f5",
    "--gh-accent-text": "#0b5965",
    ...hueVariables("light"),
  },
  dark: {
    "--mantine-color-body": "#11181d",
    "--gh-page": "#0c1216",
    "--mantine-color-red-outline": stateHues.red.dark.text,
    "--mantine-color-orange-outline": stateHues.orange.dark.text,
    "--mantine-color-yellow-outline": stateHues.amber.dark.text,
    "--mantine-color-gray-outline": "#9daab4",
    "--mantine-color-dimmed": "#9daab4",
    "--mantine-color-placeholder": "#8c98a3",
    "--mantine-color-error": "#ff9a94",
    "--gh-surface": "#11181d",
    "--gh-surface-raised": "#182027",
    "--gh-surface-sunken": "#0a0f13",
    "--gh-border": "#28323b",
    "--gh-border-strong": "#45525e",
    "--gh-row-hover": "#172027",
    "--gh-accent-text": "#7cc6d1",
    "--mantine-color-petrol-light": "#14343c",
    "--mantine-color-petrol-light-hover": "#1a414b",
    ...hueVariables("dark"),
  },
});

function hueVariables(scheme: "light" | "dark"): Record<string, string> {
  return Object.fromEntries(
    Object.entries(stateHues).flatMap(([hue, tokens]) =>
      Object.entries(tokens[scheme]).map(([part, value]) => [`--gh-${hue}-${part}`, value]),
    ),
  );
}
