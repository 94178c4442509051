import type { Catalogue } from "../Catalogue.ts"
import type { resources as polish } from "../pl/resources.ts"

const undone = "This cannot be undone."

const messageFields = {
  createdAt: "Received",
  sender: "Sender",
  subject: "Subject",
  state: "State",
  probableSpam: "Spam",
  text: "Answer",
}

const messageActs = {
  answer: {
    label: "Answer",
    title: "Answer: %{name}",
    text: "We send it to the sender by e-mail.",
    confirm: "Send answer",
    done: "The answer has been sent",
  },
  close: {
    label: "Close",
    title: "Close: %{name}?",
    text: "The sender gets no message.",
    confirm: "Close",
    done: "Closed",
  },
  reopen: {
    label: "Reopen",
    title: "Reopen: %{name}?",
    text: "",
    confirm: "Reopen",
    done: "Reopened",
  },
}

export const resources: Catalogue<typeof polish> = {
  users: {
    name: "User |||| Users",
    search: "Search by e-mail",
    isOperator: "operator",
    isUnverified: "e-mail not verified",
    driversUsed: "%{drivers} driver |||| %{drivers} drivers",
    fields: {
      email: "E-mail",
      createdAt: "Registered",
      status: "Status",
      driverLimit: "Driver limit",
      subscriptionEndDate: "End of subscription",
    },
    notifications: {
      updated: "The user has been updated",
    },
    acts: {
      impersonate: {
        label: "Log in as",
        title: "Log in as %{name}?",
        text: "For 60 minutes at most you see the panel as the customer does. Every change is recorded as yours, and every screen reminds you on whose behalf you work.",
        confirm: "Log in as user",
        done: "Logged in as user",
      },
      delete: {
        label: "Delete",
        title: "Delete the user %{name}?",
        text: `We delete the company with its drivers, verifications and notifications. Issued invoices stay. ${undone}`,
        confirm: "Delete user",
        done: "The user has been deleted",
      },
    },
    bulkDelete: {
      title: "Delete %{smart_count} user? |||| Delete %{smart_count} users?",
      text: undone,
      done: "The user has been deleted |||| %{smart_count} users have been deleted",
    },
    history: {
      label: "History",
      title: "History: %{name}",
      activityType: "Type of activity",
      allTypes: "All",
      showRaw: "Show answer",
      hideRaw: "Hide answer",
      tabs: {
        activity: "Activity",
        subscriptions: "Subscriptions",
        verifications: "Verifications",
      },
    },
  },
  activity: {
    fields: {
      createdAt: "Time",
      activityType: "Type",
      details: "Details",
      ipAddress: "IP address",
    },
  },
  subscriptionChanges: {
    fields: {
      changedAt: "Time",
      oldStatus: "Old status",
      newStatus: "New status",
      oldEndDate: "Old end",
      newEndDate: "New end",
      note: "Note",
    },
  },
  verifications: {
    fields: {
      verifiedAt: "Time",
      driverFirstName: "First name",
      driverLastName: "Last name",
      mayDrive: "May drive",
      status: "Status",
      documentStatus: "Document",
      categories: "Categories",
      verificationResponse: "Register's answer",
    },
  },
  companies: {
    name: "Company |||| Companies",
    search: "Search by name, tax ID or e-mail",
    fields: {
      name: "Company",
      taxId: "Tax ID",
      createdAt: "Since",
      status: "Status",
      endDate: "Valid until",
      driversCount: "Drivers",
      days: "Days to add",
    },
    acts: {
      suspend: {
        label: "Suspend",
        title: "Suspend %{name}?",
        text: "Access and daily checks stop at once, until an operator resumes them.",
        confirm: "Suspend company",
        done: "The company has been suspended",
      },
      resume: {
        label: "Resume",
        title: "Resume %{name}?",
        text: "The company regains access until the end of the period it paid for.",
        confirm: "Resume company",
        done: "The company has been resumed",
      },
      extend: {
        label: "Extend",
        title: "Extend the subscription of %{name}?",
        text: "The days are added to the end of the current period.",
        confirm: "Extend",
        done: "The subscription has been extended",
      },
      export: {
        label: "Export data",
        title: "Export the data of %{name}?",
        text: "The file holds personal data of drivers. Hand it only to a person entitled to it.",
        confirm: "Download file",
        done: "The file has been downloaded",
      },
      erase: {
        label: "Erase data",
        title: "Erase the data of %{name} for good?",
        text: `We erase all data of the company except issued invoices. ${undone}`,
        confirm: "Erase data",
        done: "The company's data have been erased",
      },
    },
  },
  "check-runs": {
    name: "Check |||| Daily check",
    fields: {
      day: "Day",
      planned: "Planned",
      done: "Checked",
      valid: "Valid",
      invalid: "Withheld",
      attention: "Attention",
      notFound: "Not found",
      unresolved: "Unanswered",
      finishedAt: "Ended",
      reviewState: "Review",
    },
    acts: {
      pause: {
        label: "Pause",
        title: "Pause today's check?",
        text: "Until it is resumed, we send no query to the register.",
        confirm: "Pause",
        done: "The check has been paused",
      },
      resume: {
        label: "Resume",
        title: "Resume today's check?",
        text: "",
        confirm: "Resume",
        done: "The check has been resumed",
      },
      retry: {
        label: "Retry unanswered",
        title: "Retry the unanswered queries?",
        text: "We ask the register once more about the drivers for whom it gave no answer today.",
        confirm: "Retry",
        done: "The queries have been planned again",
      },
      approve: {
        label: "Approve all",
        title: "Approve the changes held back?",
        text: `The changes become visible and customers are notified. ${undone}`,
        confirm: "Approve all",
        done: "The changes have been approved",
      },
      reject: {
        label: "Reject all",
        title: "Reject the changes held back?",
        text: `The drivers keep their previous state and are checked again. ${undone}`,
        confirm: "Reject all",
        done: "The changes have been rejected",
      },
    },
  },
  quarantinedChanges: {
    fields: {
      companyName: "Company",
      notFound: "Not found",
      attention: "Need attention",
      total: "Total",
    },
  },
  deliveries: {
    name: "Message |||| Messages",
    fields: {
      companyName: "Company",
      medium: "Channel",
      kind: "Kind",
      state: "State",
      reason: "Reason",
      attempts: "Attempts",
      createdAt: "Created",
      nextAttemptAt: "Next attempt",
    },
    acts: {
      resend: {
        label: "Resend",
        title: "Resend the message?",
        text: "The customer gets it with its present content.",
        confirm: "Resend",
        done: "The message waits to be sent",
      },
    },
  },
  payments: {
    name: "Payment |||| Payments",
    search: "Search by payment reference",
    fields: {
      companyName: "Company",
      amountGrosze: "Amount",
      state: "State",
      method: "Method",
      provider: "Provider",
      reference: "Reference",
      createdAt: "Created",
    },
  },
  discrepancies: {
    name: "Discrepancy |||| Discrepancies",
    search: "Search by payment reference",
    fields: {
      kind: "Kind",
      amountGrosze: "Amount",
      companyName: "Company",
      reference: "Reference",
      detectedAt: "Detected",
      resolvedAt: "Resolution",
      open: "State",
      note: "How it was resolved",
      amount: "Amount to refund (PLN)",
    },
    acts: {
      resolve: {
        label: "Mark as resolved",
        title: "Mark the discrepancy %{name} as resolved?",
        text: "",
        confirm: "Mark as resolved",
        done: "The discrepancy has been resolved",
      },
      refund: {
        label: "Refund",
        title: "Refund %{name}?",
        text: `We order the refund at the payment provider. ${undone}`,
        confirm: "Order refund",
        done: "The refund has been ordered",
      },
    },
  },
  refunds: {
    name: "Refund |||| Refunds",
    fields: {
      companyName: "Company",
      amountGrosze: "Amount",
      state: "State",
      reference: "Reference",
      createdAt: "Ordered",
    },
  },
  statementLines: {
    fields: {
      index: "Book",
      outcome: "Match",
      bookedOn: "Date",
      amountGrosze: "Amount",
      title: "Title and payer",
      companyName: "Order",
    },
  },
  tickets: {
    name: "Ticket |||| Tickets",
    fields: { ...messageFields, q: "Search by subject, company or e-mail" },
    acts: messageActs,
  },
  "contact-messages": {
    name: "Website message |||| Website messages",
    fields: { ...messageFields, q: "Search by sender, company or e-mail" },
    acts: messageActs,
  },
  plugins: {
    name: "Plugin |||| Plugins",
    fields: {
      name: "Plugin",
      kind: "Kind",
      configured: "Configured",
      chosen: "Chosen",
      healthy: "State",
      lastError: "Last error",
      check: "Check",
    },
  },
  incidents: {
    name: "Incident |||| Incidents",
    fields: {
      kind: "Incident",
      detail: "Details",
      openedAt: "Began",
      closedAt: "State",
      open: "State",
      mailedAt: "Mailed",
    },
    acts: {
      close: {
        label: "Close",
        title: "Close the incident?",
        text: "If its cause lasts, the incident opens again.",
        confirm: "Close incident",
        done: "The incident has been closed",
      },
    },
  },
  actions: {
    name: "Action |||| Action log",
    search: "Search by e-mail address",
    systemUser: "system user",
    fields: {
      sequence: "No.",
      createdAt: "Time",
      adminEmail: "Operator",
      actionType: "Action",
      targetEmail: "Whom it concerns",
      reason: "Reason",
      details: "Details",
    },
  },
}
