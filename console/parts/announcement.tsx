import { useState } from "react";

/**
 * Announces results to screen readers, once per question and not whenever more come. Undefined `words` are waited for.
 */
export function Announcement({ question, words }: { question: string; words: string | undefined }) {
  const [announced, setAnnounced] = useState({ question: "", words: "" });
  if (words !== undefined && announced.question !== question) setAnnounced({ question, words });
  return (
    <p role="status" className="visually-hidden">
      {announced.words}
    </p>
  );
}
