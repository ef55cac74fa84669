import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

const SHOWN_MS = 5_000;
const MOST = 3;

const Say = createContext<(text: string) => void>(() => {});

/** Shows a short confirmation; errors are shown beside what they are about instead. */
export function useSay(): (text: string) => void {
  return useContext(Say);
}

export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly { id: number; text: string }[]>([]);
  const say = useCallback((text: string) => {
    const id = performance.now();
    setShown((before) => [...before.slice(1 - MOST), { id, text }]);
    setTimeout(() => setShown((before) => before.filter((toast) => toast.id !== id)), SHOWN_MS);
  }, []);
  return (
    <Say value={say}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown.map(({ id, text }) => (
          <div key={id} className="toast">
            {text}
          </div>
        ))}
      </div>
    </Say>
  );
}
