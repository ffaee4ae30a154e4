/** Draws the logo: a half-open gate. */
export function BrandMark({ size = 22 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      fill="none"
      stroke="var(--gh-accent-text)"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M3 21V9a9 9 0 0 1 18 0v12" />
      <path d="M12 21V6.500" />
      <path d="M12 9.500 17.500 7.800V19.200L12 21" />
      <path d="M2 21h20" />
    </svg>
  );
}
