/** Shows whether the figures update by themselves. */
export function LiveMark({ isLive }: { isLive: boolean }) {
  return (
    <span className={isLive ? "live" : "live off"} role="status">
      <i className="live-dot" aria-hidden />
      {isLive ? "Live" : "Not connected, trying again"}
    </span>
  );
}
