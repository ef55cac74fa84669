/** The words of a name as programmers write it: `getUserName`, `get_user_name` and `get-user-name` are alike. */
export function identifierWords(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}
