import { may, type Permission } from "../../../lib/auth/permissions.ts";
import type { Role } from "../../../lib/data/users.ts";

/** Whether a role has a permission. */
export const roleMay = (role: Role, permission: Permission): boolean => may({ role }, permission);
