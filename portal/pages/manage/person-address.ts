/** The address of the page of a person: /manage/people/<id> */
export function personAddress(userId: string): string {
  return `/manage/people/${userId}`;
}
