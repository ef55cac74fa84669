import { useState } from "react";

/**
 * Announces results to screen readers, once per question and not whenever more come. Undefined `words` are waited for.
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
