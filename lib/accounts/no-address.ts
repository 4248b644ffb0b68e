// An account whose provider names no confirmed address has none. What is stored in its place is unique, and in a domain
// that no mail reaches (RFC 2606).
const DOMAIN = "no-address.invalid";

export function noAddressOf(userId: string): string {
  return `${userId}@${DOMAIN}`;
}

/** Whether this stands for the address of an account that has none: nothing is mailed to it. */
export function isNoAddress(email: string): boolean {
  return email.endsWith(`@${DOMAIN}`);
}
