// Stands in for a thread on a machine so busy that it does not come to its first task.
setInterval(() => {}, 1000);
