import { defineGroup } from "../../lib/group.ts";
import { handler as emailVerify } from "../auth/email-verify.ts";
import { handler as dashboard } from "../users/dashboard.ts";
import { handler as list } from "../users/list.ts";
import { handler as permissions } from "../users/permissions.ts";
import { handler as profile } from "../users/profile.ts";
import { handler as updateProfile } from "../users/update-profile.ts";

/** What accounts ask and change about themselves, and owners ask about them. */
export const handler = defineGroup("users", [permissions, dashboard, profile, updateProfile, list, emailVerify]);
