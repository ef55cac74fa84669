import { useState } from "react";

/**
 * Announces results to screen readers: once for each question, not whenever more results come. Waits while `words` is
 * undefined.
 */
export function Told({ question, words }: { question: string; words: string | undefined }) {
  const [told, setTold] = useState({ question: "", words: "" });
  if (words !== undefined && told.question !== question) setTold({ question, words });
  return (
    <p role="status" className="visually-hidden">
      {told.words}
    </p>
  );
}
