/** A coin purse made of two arcs and a clasp. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="var(--accent)" />
      <path
        d="M8 14.5c0-3.6 3.2-6 8-6s8 2.4 8 6v3.4c0 3.4-3.2 5.9-8 5.9s-8-2.5-8-5.9z"
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="2.2"
      />
      <path d="M8.4 14.6h15.2" stroke="var(--on-accent)" strokeWidth="2.2" />
      <circle cx="16" cy="14.6" r="2.1" fill="var(--on-accent)" />
    </svg>
  );
}
