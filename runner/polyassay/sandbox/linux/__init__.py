"""What the Linux kernel gives to confine and watch processes: filters, groups, namespaces."""
