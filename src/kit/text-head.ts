/** Whether the first letters of a file may be words: a document, letters of two bytes each and other binaries are none. */
export function beginsLikeText(head: string): boolean {
  return !/^%PDF-|\0/.test(head);
}
