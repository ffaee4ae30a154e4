// Simulates a thread on a machine so busy that it never reaches its first task.
setInterval(() => {}, 1000);
