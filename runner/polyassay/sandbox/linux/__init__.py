"""Ways of the Linux kernel to confine and watch processes: filters, groups, namespaces."""
